/* The connection: bytes in and out, and when to try again. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "internal.h"

#define MILLISECOND INT64_C(1000000)
/* Between attempts: doubled from the shortest to the longest. */
#define SHORTEST_DELAY (100 * MILLISECOND)
#define LONGEST_DELAY (10000 * MILLISECOND)
/* For the first reply, and for the rest of a message. */
#ifndef PARALLAX_PATIENCE_MS
#define PARALLAX_PATIENCE_MS 10000
#endif
#define PATIENCE (PARALLAX_PATIENCE_MS * MILLISECOND)

void parallax_link_arm(struct parallax_client *client, int64_t nanoseconds) {
  struct itimerspec when = {
      .it_value = {.tv_sec = nanoseconds / (1000 * MILLISECOND), .tv_nsec = nanoseconds % (1000 * MILLISECOND)}};
  timerfd_settime(client->timer, 0, &when, NULL);
  client->timer_is_armed = nanoseconds > 0;
}

bool parallax_link_timer_is_over(struct parallax_client *client) {
  uint64_t times;
  if (!client->timer_is_armed || read(client->timer, &times, sizeof times) != sizeof times) return false;
  client->timer_is_armed = false;
  return true;
}

void parallax_link_close_descriptors(struct parallax_client *client) {
  while (client->descriptor_count > 0) {
    client->descriptor_count -= 1;
    if (client->descriptors[client->descriptor_count] >= 0) close(client->descriptors[client->descriptor_count]);
  }
}

int parallax_link_take_descriptor(struct parallax_client *client, int64_t index) {
  if (index < 0 || index >= client->descriptor_count) return -1;
  int descriptor = client->descriptors[index];
  client->descriptors[index] = -1;
  return descriptor;
}

/* Closing takes the socket out of the epoll set too. */
static void disconnect(struct parallax_client *client) {
  if (client->socket >= 0) close(client->socket);
  client->socket = -1;
  parallax_link_close_descriptors(client);
  client->start = client->scanned = client->length = 0;
}

/* Many clients lose one daemon at the same moment; up to a quarter more keeps them from coming back so. */
static int64_t with_jitter(int64_t delay) {
  uint32_t chance = 0;
  if (getrandom(&chance, sizeof chance, GRND_NONBLOCK) != (ssize_t)sizeof chance) chance = (uint32_t)getpid();
  return delay + delay / 4 * (chance % 1024) / 1024;
}

int64_t parallax_link_delay(unsigned failures) {
  int64_t delay = SHORTEST_DELAY;
  for (unsigned doubled = 0; doubled < failures && delay < LONGEST_DELAY; doubled += 1) delay *= 2;
  return delay < LONGEST_DELAY ? delay : LONGEST_DELAY;
}

void parallax_link_lose(struct parallax_client *client) {
  disconnect(client);
  parallax_link_arm(client, with_jitter(parallax_link_delay(client->failures)));
  client->failures += 1;
  client->phase = PARALLAX_PHASE_WAITING;
  /* An own origin outlives the daemon: what is shown goes on from where it was. */
  client->origin.is_pending = client->origin.is_set;
}

int parallax_link_fail(struct parallax_client *client, int error) {
  disconnect(client);
  if (client->timer_is_armed) parallax_link_arm(client, 0);
  client->phase = PARALLAX_PHASE_FAILED;
  client->error = error;
  return error;
}

int parallax_link_connect(struct parallax_client *client, bool *is_temporary) {
  int descriptor = parallax_search_connect(&client->search, is_temporary, client->text);
  if (descriptor < 0) return descriptor;
  client->socket = descriptor;
  *is_temporary = true;
  struct epoll_event readable = {.events = EPOLLIN};
  ssize_t sent = send(descriptor, client->call, client->call_length, MSG_NOSIGNAL);
  /* A new socket has room for so little. */
  if (sent != (ssize_t)client->call_length) {
    snprintf(client->text, sizeof client->text, "the daemon at %s does not take the call", client->search.paths[0]);
  } else if (epoll_ctl(client->epoll, EPOLL_CTL_ADD, descriptor, &readable) != 0) {
    snprintf(client->text, sizeof client->text, "watch the connection to %s: %m", client->search.paths[0]);
  } else {
    client->phase = PARALLAX_PHASE_CALLED;
    parallax_link_arm(client, PATIENCE);
    return 0;
  }
  disconnect(client);
  return PARALLAX_ERROR_NO_DAEMON;
}

/* Keeps the descriptors that came with some bytes, as far as there is room. */
static void keep_descriptors(struct parallax_client *client, struct msghdr *message) {
  for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < count; index += 1) {
      int descriptor;
      memcpy(&descriptor, CMSG_DATA(part) + index * sizeof descriptor, sizeof descriptor);
      if (client->descriptor_count < PARALLAX_MOST_DESCRIPTORS)
        client->descriptors[client->descriptor_count++] = descriptor;
      else
        close(descriptor);
    }
  }
}

/* recv(2); of descriptors that nobody asked for the kernel keeps none. */
static ssize_t receive(struct parallax_client *client, void *bytes, size_t size) {
  if (!client->wants_page || client->phase != PARALLAX_PHASE_CALLED) return recv(client->socket, bytes, size, 0);
  union {
    char bytes[CMSG_SPACE(PARALLAX_MOST_DESCRIPTORS * sizeof(int))];
    struct cmsghdr alignment;
  } control;
  struct iovec into = {.iov_base = bytes, .iov_len = size};
  struct msghdr message = {
      .msg_iov = &into, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  ssize_t count = recvmsg(client->socket, &message, MSG_CMSG_CLOEXEC);
  if (count >= 0) keep_descriptors(client, &message);
  return count;
}

/* Reads once; false where there is nothing more for now, or the connection was lost. */
static bool fill(struct parallax_client *client) {
  if (client->start > 0) {
    memmove(client->received, client->received + client->start, client->length - client->start);
    client->length -= client->start;
    client->scanned -= client->start;
    client->start = 0;
  }
  const char *path = client->search.paths[0];
  if (client->length == sizeof client->received) {
    snprintf(client->text, sizeof client->text, "%s sends a message of more than %d bytes: no parallaxd", path,
             PARALLAX_LONGEST_MESSAGE);
    parallax_link_lose(client);
    return false;
  }
  ssize_t count = receive(client, client->received + client->length, sizeof client->received - client->length);
  if (count > 0) {
    client->length += (size_t)count;
    return true;
  }
  if (count < 0 && errno == EINTR) return true;
  if (count < 0 && errno == EAGAIN) return false;
  if (count == 0 || errno == ECONNRESET)
    snprintf(client->text, sizeof client->text, "the daemon at %s has hung up", path);
  else
    snprintf(client->text, sizeof client->text, "receive from %s: %m", path);
  parallax_link_lose(client);
  return false;
}

/* What is begun must come to an end: a message, and the wait for the first reply. */
static void keep_patience(struct parallax_client *client) {
  bool is_owed = client->phase == PARALLAX_PHASE_CALLED || client->length > client->start;
  if (!is_owed) return;
  if (!client->timer_is_armed) {
    parallax_link_arm(client, PATIENCE);
  } else if (parallax_link_timer_is_over(client)) {
    snprintf(client->text, sizeof client->text, "the daemon at %s does not answer", client->search.paths[0]);
    parallax_link_lose(client);
  }
}

const char *parallax_link_message(struct parallax_client *client, size_t *length) {
  for (;;) {
    const char *end = memchr(client->received + client->scanned, 0, client->length - client->scanned);
    if (end) {
      const char *message = client->received + client->start;
      *length = (size_t)(end - message);
      client->start = client->scanned = (size_t)(end - client->received) + 1;
      if (client->timer_is_armed) parallax_link_arm(client, 0);
      return message;
    }
    client->scanned = client->length;
    if (client->reads_left == 0) break;
    client->reads_left -= 1;
    if (!fill(client)) break;
  }
  if (client->socket >= 0) keep_patience(client);
  return NULL;
}
