// A crowd of subscribers in one process, which reads by epoll, and the gyroscope that moves for them.
//
//   crowd SOCKET NODE READERS STOPPED RATE_HZ SCANS (waits|clock)
//
// Connects all and subscribes; a byte on standard input starts the scans, at the rate by the clock. The readers read
// what comes. With `waits` the scans wait where one of them is more than half its backlog behind, since that one does
// not read; with `clock` nothing makes them wait. The stopped ones read when the readers have the last scan.
//
// Prints, when all have it, how many scans a second the readers had got and by how many the slowest was ever behind,
// then a line per subscriber: pairs of an event's sequence and what it says was dropped, or "=" where the line would
// be the first one's.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define BACKLOG 64
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

static const char subscribe[] =
    "{\"method\":\"org.parallaxd.Motion.Subscribe\",\"more\":true,"
    "\"parameters\":{\"only_changes\":false,\"backlog\":" TEXT(BACKLOG) "}}";

struct event {
  long long sequence, dropped;
};

struct subscriber {
  int fd;
  _Atomic long long newest;
  size_t length, count;
  char bytes[8192];
  struct event *events;
};

struct scan {
  int16_t x, y, z, padding;
  int64_t timestamp_ns;
};

static struct subscriber *all;
static int readers, stopped, node, epoll;
static long long scans, farthest;
static double rate_hz;
static int waits;

static void die(const char *what) {
  perror(what);
  exit(1);
}

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static long long slowest(int from, int count) {
  long long least = INT64_MAX;
  for (int i = from; i < from + count; i++) {
    long long newest = atomic_load(&all[i].newest);
    if (newest < least) least = newest;
  }
  return least;
}

static void *move(void *unused) {
  int64_t due = now_ns();
  for (long long index = 0; index < scans; index++) {
    due += (int64_t)(1e9 / rate_hz);
    const struct timespec until = {due / 1000000000, due % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    while (waits && slowest(0, readers) < index - BACKLOG / 2) usleep(1000);
    const long long behind = index - 1 - slowest(0, readers);
    if (behind > farthest) farthest = behind;
    const int64_t stamp = now_ns();
    const struct scan scan = {(int16_t)(index * 31 % 2000 - 1000), (int16_t)(index * 17 % 2000 - 1000), 5, 0, stamp};
    if (write(node, &scan, sizeof scan) != sizeof scan) die("the device node");
  }
  return unused;
}

static long long number_after(const char *text, const char *name) {
  const char *found = strstr(text, name);
  return found ? strtoll(found + strlen(name), NULL, 10) : 0;
}

static void take(struct subscriber *one) {
  ssize_t got = recv(one->fd, one->bytes + one->length, sizeof one->bytes - one->length, MSG_DONTWAIT);
  if (got < 0 && errno == EAGAIN) return;
  if (got <= 0) die("a subscriber was hung up on");
  one->length += (size_t)got;
  char *start = one->bytes, *end;
  while ((end = memchr(start, 0, one->length - (size_t)(start - one->bytes)))) {
    const struct event event = {number_after(start, "\"sequence\":"), number_after(start, "\"dropped\":")};
    if (event.sequence >= 0) {
      if (one->count == (size_t)scans) die("more events than scans");
      one->events[one->count++] = event;
      atomic_store(&one->newest, event.sequence);
    }
    start = end + 1;
  }
  one->length -= (size_t)(start - one->bytes);
  memmove(one->bytes, start, one->length);
}

static void arrive(struct subscriber *one, const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  one->fd = socket(AF_UNIX, SOCK_STREAM, 0);
  one->newest = -1;
  one->events = calloc((size_t)scans, sizeof *one->events);
  if (connect(one->fd, (struct sockaddr *)&address, sizeof address) < 0) die("connect");
  if (write(one->fd, subscribe, sizeof subscribe) < 0) die("subscribe");
}

static void watch(int from, int count) {
  for (int i = from; i < from + count; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, all[i].fd, &event) < 0) die("epoll");
  }
}

static void read_until_the_last(int from, int count) {
  while (slowest(from, count) < scans - 1) {
    struct epoll_event ready[256];
    int n = epoll_wait(epoll, ready, 256, -1);
    for (int i = 0; i < n; i++) take(ready[i].data.ptr);
  }
}

static void print(const struct subscriber *one) {
  if (one != all && one->count == all->count &&
      memcmp(one->events, all->events, one->count * sizeof *one->events) == 0) {
    puts("=");
    return;
  }
  for (size_t i = 0; i < one->count; i++) printf("%lld %lld ", one->events[i].sequence, one->events[i].dropped);
  puts("");
}

int main(int argc, char **argv) {
  if (argc != 8) return fputs("usage: see the head of this file\n", stderr), 2;
  readers = atoi(argv[3]), stopped = atoi(argv[4]), rate_hz = atof(argv[5]), scans = atoll(argv[6]);
  waits = strcmp(argv[7], "waits") == 0;
  all = calloc((size_t)(readers + stopped), sizeof *all);
  epoll = epoll_create1(0);
  for (int i = 0; i < readers + stopped; i++) arrive(&all[i], argv[1]);
  if (getchar() == EOF) return 1;
  node = open(argv[2], O_WRONLY);
  if (node < 0) die(argv[2]);
  watch(0, readers);
  pthread_t mover;
  const int64_t began = now_ns();
  pthread_create(&mover, NULL, move, NULL);
  read_until_the_last(0, readers);
  const double seconds = (double)(now_ns() - began) / 1e9;
  pthread_join(mover, NULL);
  watch(readers, stopped);
  if (stopped > 0) read_until_the_last(readers, stopped);
  printf("%.1f %lld\n", (double)scans / seconds, farthest);
  for (int i = 0; i < readers + stopped; i++) print(&all[i]);
  return 0;
}
