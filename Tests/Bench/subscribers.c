// The other side of the benchmark, in one process: a thread that moves the sensor at a set rate, and a loop that
// reads what N subscribers get and notes the age of every event at its read.
//
//   subscribers FEED RATE_HZ SECONDS COUNT CHANNEL...
//
// FEED is how the sensor is moved, each scan stamped with CLOCK_MONOTONIC just before it is written:
//   fifo PATH            a scan of 16 bytes into the FIFO that is the device
//   mqtt PATH            the event that bare_loop.c would make of it, published to the broker at a Unix socket
// CHANNEL is how COUNT subscribers get events:
//   messages PATH TEXT   a Unix socket each, on which TEXT is sent first if it is not empty; events end in NUL
//   mqtt PATH            a Unix socket each, subscribed at a broker
//   scans FD...          descriptors that this process was started with, which give scans of 16 bytes
//   page PATH            a Unix socket each, on which a page is opened; one of the pages is read
//
// Waits until every subscriber has got something, then measures; a COUNT of 0 just moves the sensor. SERVER_PID is the process whose time is taken,
// all threads, user and system, and whose memory at the end. Prints a line of name=value: made (scans in that time),
// delivered, p50_ns, p99_ns, cpu_ns, rss_kib, anon_kib; with pages read_ns instead of delivered, and p50 and p99 are
// of the record's age when it is read.
#include "subscribers.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MOST_AGES = 4 << 20, PATIENCE_S = 20 };

struct feed {
  int fd;
  int is_mqtt;
  double rate_hz;
  atomic_int going;
  atomic_llong made;
};

int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void die(const char *what) {
  perror(what);
  exit(1);
}

static void publish_line(int fd, long long sequence, const struct scan *scan) {
  static double x, y;
  char line[256];
  x += scan->y * 0.001;
  y += scan->x * 0.001;
  int length = snprintf(line, sizeof line,
                        "{\"parameters\":{\"sequence\":%lld,\"timestamp_ns\":%lld,\"x\":%.17g,\"y\":%.17g,"
                        "\"state\":\"running\",\"reduced_motion\":false},\"continues\":true}",
                        sequence, (long long)scan->timestamp_ns, x, y);
  mqtt_publish(fd, line, (size_t)length);
}

static void *move(void *argument) {
  struct feed *feed = argument;
  // A sensor does not wait for its readers. Only root may; others go without.
  setpriority(PRIO_PROCESS, (id_t)gettid(), -20);
  int64_t due = now_ns();
  for (long long index = 0; atomic_load(&feed->going); index++) {
    due += (int64_t)(1e9 / feed->rate_hz);
    struct timespec until = {due / 1000000000, due % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    const double phase = (double)index / 97;
    const struct scan scan = {(int16_t)(900 * sin(phase)), (int16_t)(700 * cos(phase)), 12, 0, now_ns()};
    if (feed->is_mqtt) {
      publish_line(feed->fd, index, &scan);
    } else if (write(feed->fd, &scan, sizeof scan) < 0 && errno != EAGAIN) {
      die("move the sensor");
    }
    atomic_fetch_add(&feed->made, 1);
  }
  return NULL;
}

static int compare(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static void print_ages(int64_t *ages, size_t count) {
  qsort(ages, count, sizeof *ages, compare);
  printf(" p50_ns=%lld p99_ns=%lld", (long long)ages[count / 2], (long long)ages[count * 99 / 100]);
}

static void print_server(int pid, int64_t cpu, long long made) {
  printf("made=%lld cpu_ns=%lld rss_kib=%ld anon_kib=%ld", made, (long long)cpu, memory_kib(pid, "VmRSS"),
         memory_kib(pid, "RssAnon"));
}

static int watch(struct subscriber *all, int count) {
  int epoll = epoll_create1(0);
  for (int i = 0; i < count; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, all[i].fd, &event) < 0) die("watch");
  }
  return epoll;
}

// One turn of the loop: how many got their first event in it.
static int turn(int epoll, int channel, size_t *delivered, int64_t *ages, size_t *used) {
  struct epoll_event ready[64];
  int64_t scratch[MOST_AT_ONCE];
  int n = epoll_wait(epoll, ready, 64, 100), firsts = 0;
  for (int i = 0; i < n; i++) {
    struct subscriber *from = ready[i].data.ptr;
    ssize_t got = read(from->fd, from->bytes + from->length, sizeof from->bytes - from->length);
    if (got < 0 && errno == EAGAIN) continue;
    if (got <= 0) {
      fputs("a subscriber was hung up on\n", stderr);
      exit(1);
    }
    const int64_t at = now_ns();
    from->length += (size_t)got;
    size_t count = take(channel, from, scratch);
    if (count > 0 && !from->served) firsts++, from->served = 1;
    *delivered += count;
    for (size_t m = 0; m < count && *used < MOST_AGES; m++) ages[(*used)++] = at - scratch[m];
  }
  return firsts;
}

static void measure_events(struct subscriber *all, int count, int channel, struct feed *feed, double seconds,
                           int server) {
  int64_t *ages = malloc((size_t)MOST_AGES * sizeof *ages);
  size_t delivered = 0, used = 0;
  int epoll = watch(all, count), served = 0;
  for (int64_t end = now_ns() + PATIENCE_S * INT64_C(1000000000); served < count;) {
    used = 0;
    served += turn(epoll, channel, &delivered, ages, &used);
    if (now_ns() > end) {
      fprintf(stderr, "only %d of %d were served\n", served, count);
      exit(1);
    }
  }
  // What had waited meanwhile is not measured.
  for (int64_t end = now_ns() + 300000000; now_ns() < end;) used = 0, turn(epoll, channel, &delivered, ages, &used);
  delivered = used = 0;
  const long long made = atomic_load(&feed->made);
  const int64_t cpu = cpu_ns(server), end = now_ns() + (int64_t)(seconds * 1e9);
  while (now_ns() < end) turn(epoll, channel, &delivered, ages, &used);
  const int64_t cpu_end = cpu_ns(server);
  if (used == 0 && count > 0) {
    fputs("nothing was delivered\n", stderr);
    exit(1);
  }
  printf("delivered=%zu ", delivered);
  print_server(server, cpu_end - cpu, atomic_load(&feed->made) - made);
  if (used > 0) print_ages(ages, used);
  puts("");
}

static void measure_page(const void *page, struct feed *feed, double seconds, int server) {
  int64_t *ages = malloc((size_t)MOST_AGES * sizeof *ages);
  size_t used = 0;
  int64_t age;
  for (int64_t end = now_ns() + PATIENCE_S * INT64_C(1000000000); !page_age(page, &age) || age > 1000000000;) {
    usleep(1000);
    if (now_ns() > end) {
      fputs("nothing came onto the page\n", stderr);
      exit(1);
    }
  }
  usleep(300000);
  const long long made = atomic_load(&feed->made);
  const int64_t cpu = cpu_ns(server), end = now_ns() + (int64_t)(seconds * 1e9);
  // As a renderer does, and not in step with the sensor.
  while (now_ns() < end) {
    usleep(1700);
    if (page_age(page, &age) && used < MOST_AGES) ages[used++] = age;
  }
  print_server(server, cpu_ns(server) - cpu, atomic_load(&feed->made) - made);
  if (used > 0) print_ages(ages, used);
  printf(" read_ns=%.2f\n", page_read_time_ns(page));
}

int main(int argc, char **argv) {
  if (argc < 7) return fputs("usage: see the head of this file\n", stderr), 2;
  const double seconds = atof(argv[4]);
  const int count = atoi(argv[5]);
  const char *server = getenv("SERVER_PID");
  struct subscriber *all = calloc((size_t)count, sizeof *all);
  const void *page = NULL;
  int channel = connect_all(all, count, argv + 6, &page);

  struct feed feed = {.rate_hz = atof(argv[3]), .is_mqtt = strcmp(argv[1], "mqtt") == 0, .going = 1};
  feed.fd = feed.is_mqtt ? mqtt_connect(argv[2], "feed") : open(argv[2], O_RDWR | O_NONBLOCK);
  if (feed.fd < 0) die(argv[2]);
  pthread_t thread;
  pthread_create(&thread, NULL, move, &feed);
  if (page) {
    measure_page(page, &feed, seconds, atoi(server ? server : "0"));
  } else {
    measure_events(all, count, channel, &feed, seconds, atoi(server ? server : "0"));
  }
  atomic_store(&feed.going, 0);
  pthread_join(thread, NULL);
  return 0;
}
