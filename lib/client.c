/* What a program calls. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

/* Reads of a socket in one go: a daemon that floods must not keep the caller's loop from its turn. */
#define READS_IN_ONE_GO 16

/* An option out of its range, told; NULL: all are right. */
static const char *wrong_option(const struct parallax_options *options) {
  int rotation = options->screen_rotation;
  if (!(options->min_interval >= 0 && options->min_interval <= 60)) return "min_interval is not from 0 to 60 seconds";
  if (rotation != 0 && rotation != 90 && rotation != 180 && rotation != 270)
    return "screen_rotation is not 0, 90, 180 or 270";
  if (options->backlog < 0 || options->backlog > 1024) return "backlog is not from 0 to 1024 events";
  return NULL;
}

static int fail_open(struct parallax_client *client, int error, const char *text, char *why) {
  if (why) snprintf(why, PARALLAX_TEXT_SIZE, "%s", text);
  parallax_close(client);
  return error;
}

static struct parallax_client *make(bool page) {
  struct parallax_client *client = calloc(1, sizeof *client);
  if (!client) return NULL;
  client->wants_page = page;
  client->socket = -1;
  client->last.sequence = -1;
  client->epoll = epoll_create1(EPOLL_CLOEXEC);
  client->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  struct epoll_event readable = {.events = EPOLLIN};
  if (client->epoll >= 0 && client->timer >= 0 &&
      epoll_ctl(client->epoll, EPOLL_CTL_ADD, client->timer, &readable) == 0)
    return client;
  int reason = errno;
  parallax_close(client);
  errno = reason;
  return NULL;
}

static int open_client(struct parallax_client **result, const struct parallax_options *given, bool page, char *why) {
  static const struct parallax_options defaults;
  const struct parallax_options *options = given ? given : &defaults;
  if (why) *why = 0;
  if (!result) return fail_open(NULL, PARALLAX_ERROR_ARGUMENT, "no place for the client", why);
  *result = NULL;
  const char *wrong = wrong_option(options);
  if (wrong) return fail_open(NULL, PARALLAX_ERROR_ARGUMENT, wrong, why);
  struct parallax_client *client = make(page);
  if (!client) return fail_open(NULL, PARALLAX_ERROR_SYSTEM, strerrordesc_np(errno), why);
  client->call_length = parallax_write_call(client->call, options, page);
  if (!client->call_length) return fail_open(client, PARALLAX_ERROR_SYSTEM, "no memory for the call", why);
  int error = parallax_search_paths(&client->search, options->socket, client->text);
  bool is_temporary = false;
  if (!error) error = parallax_link_connect(client, &is_temporary);
  if (error && !(is_temporary && options->wait_for_daemon)) return fail_open(client, error, client->text, why);
  if (error) parallax_link_lose(client);
  *result = client;
  return 0;
}

int parallax_open(struct parallax_client **client, const struct parallax_options *options, char *why) {
  return open_client(client, options, false, why);
}

int parallax_page_open(struct parallax_client **client, const struct parallax_options *options, char *why) {
  return open_client(client, options, true, why);
}

void parallax_close(struct parallax_client *client) {
  if (!client) return;
  parallax_link_close_descriptors(client);
  parallax_mapping_close(&client->mapping);
  if (client->socket >= 0) close(client->socket);
  if (client->timer >= 0) close(client->timer);
  if (client->epoll >= 0) close(client->epoll);
  free(client);
}

int parallax_fd(const struct parallax_client *client) { return client->epoll; }

const char *parallax_error(const struct parallax_client *client) { return client->text; }

const char *parallax_version(void) { return PARALLAX_VERSION; }

const char *parallax_event_state(const struct parallax_event *event) {
  return event->state == PARALLAX_STATE_DISCONNECTED ? "disconnected" : parallax_state_token(event->state);
}

/* The connection is what it should be. */
static void settle(struct parallax_client *client) {
  client->phase = PARALLAX_PHASE_STREAMING;
  client->failures = 0;
  client->told_disconnected = false;
  client->text[0] = 0;
}

static int take_event(struct parallax_client *client, const struct parallax_reply *reply,
                      struct parallax_event *event) {
  settle(client);
  *event = reply->event;
  parallax_origin_apply(&client->origin, event->reduced_motion, &event->x, &event->y);
  client->last = *event;
  return 1;
}

/* Maps the page that came with the reply, and tells of it as an event. */
static int take_page(struct parallax_client *client, const struct parallax_reply *reply,
                     struct parallax_event *event) {
  int descriptor = parallax_link_take_descriptor(client, reply->page_descriptor);
  parallax_link_close_descriptors(client);
  bool is_mapped = false;
  if (descriptor >= 0) {
    is_mapped = parallax_mapping_open(&client->mapping, descriptor, reply->page_size, client->text);
    close(descriptor);
  } else {
    snprintf(client->text, sizeof client->text, "a page without its descriptor");
  }
  if (!is_mapped) {
    parallax_link_lose(client);
    return 0;
  }
  settle(client);
  struct parallax_frame frame;
  memset(event, 0, sizeof *event);
  event->sequence = -1;
  event->state = PARALLAX_STATE_STARTING;
  if (parallax_page_frame(client, &frame) && client->mapping.is_fresh) {
    event->sequence = frame.sequence;
    event->timestamp_ns = frame.timestamp_ns;
    event->state = parallax_frame_state(&frame);
    event->reason = parallax_frame_reason(&frame);
    event->reduced_motion = frame.flags & PARALLAX_FLAG_REDUCED_MOTION;
  }
  event->x = client->origin.shown_x;
  event->y = client->origin.shown_y;
  client->last = *event;
  return 1;
}

/* Acts on a message: 1 and an event, 0, or an error. */
static int take_message(struct parallax_client *client, const char *message, size_t length,
                        struct parallax_event *event) {
  struct parallax_reply reply;
  parallax_read_reply(message, length, client->wants_page, &reply);
  /* A page is refused to nobody: who has lost the right to rates gets one without them next time. */
  bool is_another_page = client->wants_page && reply.error == PARALLAX_ERROR_PERMISSION;
  if (reply.kind == PARALLAX_REPLY_ERROR && reply.error && !is_another_page) {
    snprintf(client->text, sizeof client->text, "the daemon refuses: %s", reply.text);
    return parallax_link_fail(client, reply.error);
  }
  if (reply.kind == PARALLAX_REPLY_EVENT && reply.continues) return take_event(client, &reply, event);
  if (reply.kind == PARALLAX_REPLY_PAGE && client->phase == PARALLAX_PHASE_CALLED)
    return take_page(client, &reply, event);
  if (reply.kind == PARALLAX_REPLY_ERROR)
    snprintf(client->text, sizeof client->text, "the daemon cannot now: %s", reply.text);
  else if (reply.kind == PARALLAX_REPLY_JUNK)
    snprintf(client->text, sizeof client->text, "no parallaxd answers: %s", reply.text);
  else
    snprintf(client->text, sizeof client->text, "the daemon says something that it was not asked");
  parallax_link_lose(client);
  return 0;
}

/* Once for each time that the connection is lost. */
static int tell_disconnected(struct parallax_client *client, struct parallax_event *event) {
  client->told_disconnected = true;
  *event = client->last;
  event->x = client->origin.shown_x;
  event->y = client->origin.shown_y;
  event->state = PARALLAX_STATE_DISCONNECTED;
  event->reason = PARALLAX_REASON_NONE;
  event->gap = event->has_rate = event->has_tilt = false;
  event->dropped = 0;
  event->rate_x = event->rate_y = event->rate_z = event->tilt_x = event->tilt_y = 0;
  return 1;
}

/* Goes on until there is an event (1), an error, or nothing to do (0). Never waits. */
static int step(struct parallax_client *client, struct parallax_event *event) {
  for (;;) {
    if (client->phase == PARALLAX_PHASE_FAILED) return client->error;
    if (client->phase == PARALLAX_PHASE_WAITING) {
      if (!client->told_disconnected) return tell_disconnected(client, event);
      bool is_temporary;
      if (!parallax_link_timer_is_over(client)) return 0;
      if (parallax_link_connect(client, &is_temporary) != 0) parallax_link_lose(client);
      continue;
    }
    size_t length;
    const char *message = parallax_link_message(client, &length);
    if (!message && client->phase != PARALLAX_PHASE_WAITING) return 0;
    int result = message ? take_message(client, message, length, event) : 0;
    if (result != 0) return result;
  }
}

int parallax_dispatch(struct parallax_client *client, parallax_handler handler, void *context) {
  int count = 0, result;
  struct parallax_event event;
  client->reads_left = READS_IN_ONE_GO;
  while ((result = step(client, &event)) > 0) {
    count += 1;
    if (handler) handler(&event, context);
  }
  return result < 0 ? result : count;
}

static int64_t monotonic_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Milliseconds for poll(2), rounded up so that it does not spin at the end. */
static int milliseconds_left(int64_t deadline) {
  int64_t left = (deadline - monotonic_now() + 999999) / 1000000;
  return left <= 0 ? 0 : left > 3600000 ? 3600000 : (int)left;
}

int parallax_next(struct parallax_client *client, double timeout, struct parallax_event *event) {
  /* Whoever waits for longer than a hundred years, or for no number of seconds, waits without end. */
  bool is_endless = !(timeout >= 0 && timeout < 3e9);
  int64_t deadline = is_endless || timeout == 0 ? 0 : monotonic_now() + (int64_t)(timeout * 1e9);
  for (;;) {
    client->reads_left = READS_IN_ONE_GO;
    int result = step(client, event);
    if (result != 0) return result;
    int left = is_endless ? -1 : deadline == 0 ? 0 : milliseconds_left(deadline);
    if (left == 0) return 0;
    struct pollfd watched = {.fd = client->epoll, .events = POLLIN};
    if (poll(&watched, 1, left) >= 0) continue;
    if (errno == EINTR) return 0;
    snprintf(client->text, sizeof client->text, "poll: %m");
    return parallax_link_fail(client, PARALLAX_ERROR_SYSTEM);
  }
}

void parallax_set_origin(struct parallax_client *client) { parallax_origin_set(&client->origin); }

void parallax_clear_origin(struct parallax_client *client) {
  struct parallax_origin *origin = &client->origin;
  origin->shown_x += origin->x;
  origin->shown_y += origin->y;
  origin->x = origin->y = 0;
  origin->is_set = origin->is_pending = false;
}
