/*
 * libparallax: where the content belongs, for programs that draw.
 *
 *     struct parallax_client *client;
 *     char why[PARALLAX_TEXT_SIZE];
 *     if (parallax_open(&client, NULL, why) < 0) { puts(why); return 1; }
 *     struct parallax_event event;
 *     while (parallax_next(client, -1, &event) >= 0)
 *       printf("%g %g\n", event.x, event.y);
 *     puts(parallax_error(client));
 *     parallax_close(client);
 *
 * A program with a loop of its own polls parallax_fd() for reading and calls parallax_dispatch(). One that
 * draws at the display's refresh opens the page (parallax_page_open) and reads a frame from memory with
 * parallax_page_frame().
 *
 * Where the service manager keeps connections (the installed unit has it so), a restarted daemon goes on with the
 * client, which sees a pause and a gap. Otherwise the daemon may go and come back: the client says so by an event whose
 * state is PARALLAX_STATE_DISCONNECTED and goes on trying, by a timer that parallax_fd() watches.
 *
 * THREADS. A client belongs to one thread at a time; different clients have nothing in common, and the library
 * has no state outside of them. None of these functions but parallax_next() waits for the daemon, none raises a
 * signal (no SIGPIPE), none forks or starts a thread. After fork(2) only the parent may go on with a client.
 *
 * UNITS. Points, x to the right and y up; seconds; rad/s. The protocol's documentation has the whole.
 */
#ifndef PARALLAX_H
#define PARALLAX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parallax_page.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PARALLAX_API
#define PARALLAX_API
#endif

/** Bytes that any text of this library fits into, with its NUL. Texts are one line. */
#define PARALLAX_TEXT_SIZE 256

/** What went wrong, as the negative result of a function. */
enum parallax_result {
  PARALLAX_ERROR_ARGUMENT = -1,   /**< an option out of its range, a null pointer */
  PARALLAX_ERROR_NO_DAEMON = -2,  /**< no socket where one is looked for, or nobody listens on it */
  PARALLAX_ERROR_PERMISSION = -3, /**< not allowed to connect, or to see what was asked for */
  PARALLAX_ERROR_REFUSED = -4,    /**< the daemon does not know the call, or something in it */
  PARALLAX_ERROR_SYSTEM = -5      /**< memory or descriptors have run out */
};

/**
 * States of an event beyond `enum parallax_state`: no connection, and one of a newer daemon. They are also what
 * parallax_frame_state() gives for a frame of parallax_page_frame(), and where the reason is a newer one.
 */
enum { PARALLAX_STATE_DISCONNECTED = 254, PARALLAX_STATE_UNKNOWN = 255, PARALLAX_REASON_UNKNOWN = 255 };

/** How to subscribe. All zero is the default; `struct parallax_options options = {0}`. */
struct parallax_options {
  /** The daemon's socket. NULL: $PARALLAXD_SOCKET; else the system's, else the user's, whichever exists. */
  const char *socket;
  /** Do not fail where there is no daemon yet: be disconnected, and go on trying. */
  bool wait_for_daemon;
  /** Seconds of sample time between two events, 0 to 60. */
  double min_interval;
  /** Also events in which nothing but sequence and time is new (the protocol's only_changes: false). */
  bool every_update;
  /** With angular rates, for those who may see them. */
  bool rate;
  /** With tilt. */
  bool tilt;
  /** Reduced motion, for this client. */
  bool reduced_motion;
  /** By how much the picture is turned counter-clockwise on this screen: 0, 90, 180 or 270. */
  int screen_rotation;
  /** How many unread events may wait, 1 to 1024; 0: the daemon's default. */
  int backlog;
};

/** Where the content belongs, and what the daemon is doing. */
struct parallax_event {
  /** Index of the last update in it; -1 before the first. After PARALLAX_STATE_DISCONNECTED it may begin anew. */
  int64_t sequence;
  /** Time of the newest sample in it, nanoseconds; 0 before the first. */
  int64_t timestamp_ns;
  /** Points from neutral, or from the origin that was set. Those of the last event while disconnected. */
  double x, y;
  /** An `enum parallax_state`, PARALLAX_STATE_DISCONNECTED or PARALLAX_STATE_UNKNOWN. */
  unsigned state;
  /** An `enum parallax_reason`, or PARALLAX_REASON_UNKNOWN. */
  unsigned reason;
  bool reduced_motion;
  /** Samples were missed before it. */
  bool gap;
  bool has_rate, has_tilt;
  /** Updates that were missed since the last event because nobody read. */
  int64_t dropped;
  /** rad/s; 0 without has_rate. */
  double rate_x, rate_y, rate_z;
  /** -1 to 1; 0 without has_tilt. */
  double tilt_x, tilt_y;
};

/** A connection that mends itself; made by parallax_open() or parallax_page_open(). */
struct parallax_client;

/** What parallax_dispatch() calls for each event. It must not close the client, nor dispatch it. */
typedef void (*parallax_handler)(const struct parallax_event *event, void *context);

/**
 * Connects and subscribes. `options` may be NULL; what it points to is copied.
 *
 * 0 and a client, whose first event is the present state; or a negative `enum parallax_result`, `*client` NULL,
 * and one line in `why` (PARALLAX_TEXT_SIZE bytes, or NULL). A socket that exists but refuses is an error: the
 * next one would be a daemon that was not meant.
 */
PARALLAX_API int parallax_open(struct parallax_client **client, const struct parallax_options *options, char *why);

/**
 * Connects and maps the page; of the options only `socket` and `wait_for_daemon` count. Its events are few: one
 * when the page has been mapped, for the first time or again, and one when the connection is lost.
 *
 * PARALLAX_ERROR_REFUSED, from the first parallax_dispatch() or parallax_next(), is a daemon without a page.
 */
PARALLAX_API int parallax_page_open(struct parallax_client **client, const struct parallax_options *options,
                                    char *why);

/** Hangs up and frees all; the page's frames stay valid, they are copies. NULL is nothing. */
PARALLAX_API void parallax_close(struct parallax_client *client);

/** One descriptor to poll for reading, the same for the client's whole life; it is the client's to close. */
PARALLAX_API int parallax_fd(const struct parallax_client *client);

/**
 * Does what there is to do, and calls `handler` (or nothing, where it is NULL) for each event; never waits.
 * The number of events; or a negative error, which is final: the descriptor stays silent from then on.
 */
PARALLAX_API int parallax_dispatch(struct parallax_client *client, parallax_handler handler, void *context);

/**
 * Waits for the next event, at most `timeout` seconds; negative: without end. 1 and the event; 0 where none came
 * in time or a signal did; or a negative error, which is final. A program that polls parallax_fd() itself calls
 * it with 0 until it returns 0, since more than one event may have arrived.
 */
PARALLAX_API int parallax_next(struct parallax_client *client, double timeout, struct parallax_event *event);

/**
 * The newest frame of the page: 1, or 0 as long as there has been none. No system call, so that it may be called
 * as often as one draws; but that the connection was lost is learned by parallax_dispatch() alone. The frame
 * then stays where it was, not running. parallax_extrapolate() moves it on to the time when it will be seen.
 */
PARALLAX_API int parallax_page_frame(struct parallax_client *client, struct parallax_frame *frame);

/**
 * What is shown now becomes (0, 0): x and y count from here, or from the next event where there is none yet. Where
 * the daemon begins anew they go on from the last ones. Reduced motion has the daemon's neutral as its origin,
 * and so has what follows it.
 */
PARALLAX_API void parallax_set_origin(struct parallax_client *client);

/** x and y are the daemon's own again. */
PARALLAX_API void parallax_clear_origin(struct parallax_client *client);

/** Why the last call failed or the connection is lost, in one line; empty where neither is. */
PARALLAX_API const char *parallax_error(const struct parallax_client *client);

/** The state as the protocol writes it: "running"; "disconnected" where there is no connection. */
PARALLAX_API const char *parallax_event_state(const struct parallax_event *event);

/** The version of the library, as "0.1.0". */
PARALLAX_API const char *parallax_version(void);

#ifdef __cplusplus
}
#endif

#endif
