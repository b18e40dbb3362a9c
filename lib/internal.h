/* What the files of the library share. */
#ifndef PARALLAX_INTERNAL_H
#define PARALLAX_INTERNAL_H

/* Everything else is hidden. */
#define PARALLAX_API __attribute__((visibility("default")))

#include <sys/un.h>

#include "parallax.h"

/* Bytes of a message, as the protocol bounds it, without its NUL. */
#define PARALLAX_LONGEST_MESSAGE 65536
/* Arrays and objects in each other. */
#define PARALLAX_DEEPEST_MESSAGE 16
/* Bytes of all calls of a connection. */
#define PARALLAX_LONGEST_CALL 1024
/* Descriptors that are taken with a reply; the kernel closes more. */
#define PARALLAX_MOST_DESCRIPTORS 4

/* Pure: what a reply says. */
enum parallax_reply_kind { PARALLAX_REPLY_EVENT, PARALLAX_REPLY_PAGE, PARALLAX_REPLY_ERROR, PARALLAX_REPLY_JUNK };

struct parallax_reply {
  enum parallax_reply_kind kind;
  /* Whether more replies follow to the same call. */
  bool continues;
  struct parallax_event event;
  /* Of the page: bytes, and which of the descriptors. */
  int64_t page_size, page_descriptor;
  /* Of an error: whether the same call would fail again, what that is, and which it is; of junk: why. */
  int error;
  char text[PARALLAX_TEXT_SIZE - 96];
};

/* Reads one message without its NUL; `page` says which reply is expected. Touches nothing but `reply`. */
void parallax_read_reply(const char *message, size_t length, bool page, struct parallax_reply *reply);

/* Pure: writes the call, with its NUL, into PARALLAX_LONGEST_CALL bytes; its length, or 0 where memory is out. */
size_t parallax_write_call(char *call, const struct parallax_options *options, bool page);

/* Where a socket is looked for. */
struct parallax_search {
  char paths[2][sizeof((struct sockaddr_un *)0)->sun_path];
  int count;
};

/* 0, or a negative error with `why`: the path that was given is empty or too long. */
int parallax_search_paths(struct parallax_search *search, const char *given, char *why);

/* Connects to the first that exists and makes it the only one. A descriptor, or a negative error with `why`. */
int parallax_search_connect(struct parallax_search *search, bool *is_temporary, char *why);

/* An origin of one's own: x and y are shown from there. */
struct parallax_origin {
  double x, y;
  /* What was shown last, and whether anything was. */
  double shown_x, shown_y;
  bool is_shown;
  bool is_set;
  /* The next one is shown where the last one was, whatever the daemon says. */
  bool is_pending;
};

void parallax_origin_set(struct parallax_origin *origin);
void parallax_origin_apply(struct parallax_origin *origin, bool reduced_motion, double *x, double *y);

/* A mapped page and the last frame that was read. */
struct parallax_mapping {
  void *page;
  size_t size;
  struct parallax_frame frame;
  /* Whether there is a frame, and whether it is of this page, not of the one before. */
  bool has_frame, is_fresh;
};

/* Maps a page in the place of the one before; false, with `why`, where it is none that is safe to read. */
bool parallax_mapping_open(struct parallax_mapping *mapping, int descriptor, int64_t size, char *why);
void parallax_mapping_close(struct parallax_mapping *mapping);

/* What the client is about. */
enum parallax_phase {
  PARALLAX_PHASE_WAITING,   /* for the timer, to connect again */
  PARALLAX_PHASE_CALLED,    /* for the first reply */
  PARALLAX_PHASE_STREAMING, /* replies come, or the page is mapped */
  PARALLAX_PHASE_FAILED     /* for good */
};

struct parallax_client {
  /* What the caller polls: it watches the socket and the timer. */
  int epoll;
  int timer;
  bool timer_is_armed;
  int socket;
  enum parallax_phase phase;
  struct parallax_search search;
  bool wants_page;
  char call[PARALLAX_LONGEST_CALL];
  size_t call_length;

  /* Received: messages begin at `start`; up to `scanned` there is no NUL. */
  char received[PARALLAX_LONGEST_MESSAGE + 1];
  size_t start, scanned, length;
  int descriptors[PARALLAX_MOST_DESCRIPTORS];
  int descriptor_count;
  /* How often the socket may still be read before the caller's loop has its turn. */
  int reads_left;

  /* Attempts to connect in a row that came to nothing. */
  unsigned failures;
  bool told_disconnected;
  struct parallax_event last;
  struct parallax_origin origin;
  struct parallax_mapping mapping;

  int error;
  char text[PARALLAX_TEXT_SIZE];
};

/* The connection: each may change the phase. */

/* Makes an attempt to connect and sends the call; 0, or a negative error, temporary or not. */
int parallax_link_connect(struct parallax_client *client, bool *is_temporary);
/* Drops the connection, if there is one, and waits for the next attempt. The client's text says why. */
void parallax_link_lose(struct parallax_client *client);
/* Pure: nanoseconds to wait after so many failures in a row, without the jitter. */
int64_t parallax_link_delay(unsigned failures);
/* Drops the connection for good; `error`. */
int parallax_link_fail(struct parallax_client *client, int error);
/* The next whole message, without its NUL; NULL: none has come, or the connection was lost. */
const char *parallax_link_message(struct parallax_client *client, size_t *length);
/* Sets the timer; 0 switches it off. */
void parallax_link_arm(struct parallax_client *client, int64_t nanoseconds);
/* Whether it has run out, once. */
bool parallax_link_timer_is_over(struct parallax_client *client);
/* A descriptor that came with the replies; the caller's. -1: no such one. */
int parallax_link_take_descriptor(struct parallax_client *client, int64_t index);
void parallax_link_close_descriptors(struct parallax_client *client);

#endif
