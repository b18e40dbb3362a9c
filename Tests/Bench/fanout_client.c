// The other side of the fan-out benchmark, in one process: a thread that moves a gyroscope (writes scans
// into a FIFO at a set rate, stamped with CLOCK_MONOTONIC at the write) and a loop that reads what N
// subscribers get and notes the age of every event at its read.
//
//   fanout_client SOCKET FIFO SUBSCRIBERS RATE_HZ SECONDS [SUBSCRIBE_MESSAGE]
//
// With a message, each connection sends it (and a NUL) first. Waits until every subscriber has got an event
// (the sensor is on), then reads /proc/PID/task/*/schedstat of the server named by SERVER_PID around the
// measured stretch. Prints one line: events p50_ns p99_ns server_cpu_ns delivered.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

struct scan {
  int16_t x, y, z, pad;
  int64_t timestamp_ns;
};

struct subscriber {
  int fd;
  size_t length;
  char bytes[65536];
};

static int fifo;
static double rate_hz;
static volatile int feeding = 1;

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void *feed(void *unused) {
  int64_t due = now_ns();
  for (int64_t index = 0; feeding; index++) {
    due += (int64_t)(1e9 / rate_hz);
    struct timespec until = {due / 1000000000, due % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    double phase = (double)index / 97;
    struct scan scan = {(int16_t)(900 * sin(phase)), (int16_t)(700 * cos(phase)), 12, 0, now_ns()};
    if (write(fifo, &scan, sizeof scan) < 0 && errno != EAGAIN) break;
  }
  return unused;
}

// Nanoseconds that all threads of a process have run.
static int64_t cpu_ns(int pid) {
  char path[300];
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *tasks = opendir(path);
  int64_t total = 0;
  for (struct dirent *task; tasks && (task = readdir(tasks));) {
    if (task->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "/proc/%d/task/%s/schedstat", pid, task->d_name);
    FILE *file = fopen(path, "r");
    long long run = 0;
    if (file && fscanf(file, "%lld", &run) == 1) total += run;
    if (file) fclose(file);
  }
  if (tasks) closedir(tasks);
  return total;
}

static int compare(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

// Ages of the whole messages in the buffer; what is left moves to its front.
static int take(struct subscriber *from, int64_t now, int64_t *ages) {
  int count = 0;
  char *start = from->bytes, *end;
  while ((end = memchr(start, 0, from->length - (size_t)(start - from->bytes)))) {
    char *stamp = strstr(start, "\"timestamp_ns\":");
    if (stamp) ages[count++] = now - strtoll(stamp + 15, NULL, 10);
    start = end + 1;
  }
  from->length -= (size_t)(start - from->bytes);
  memmove(from->bytes, start, from->length);
  return count;
}

int main(int argc, char **argv) {
  if (argc < 6) return fprintf(stderr, "usage: see the head of this file\n"), 2;
  int count = atoi(argv[3]);
  rate_hz = atof(argv[4]);
  double seconds = atof(argv[5]);
  int server = atoi(getenv("SERVER_PID") ? getenv("SERVER_PID") : "0");

  struct subscriber *all = calloc((size_t)count, sizeof *all);
  int epoll = epoll_create1(0);
  for (int i = 0; i < count; i++) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", argv[1]);
    all[i].fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(all[i].fd, (struct sockaddr *)&address, sizeof address) < 0) return perror("connect"), 1;
    if (argc > 6 && write(all[i].fd, argv[6], strlen(argv[6]) + 1) < 0) return perror("subscribe"), 1;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
    epoll_ctl(epoll, EPOLL_CTL_ADD, all[i].fd, &event);
  }
  // The sensor is on by the time a subscriber can have been served; a FIFO keeps what comes too early.
  usleep(700000);
  fifo = open(argv[2], O_RDWR | O_NONBLOCK);
  if (fifo < 0) return perror("open the FIFO"), 1;
  pthread_t feeder;
  pthread_create(&feeder, NULL, feed, NULL);

  size_t capacity = (size_t)(rate_hz * seconds * count * 1.2) + 1000, used = 0;
  int64_t *ages = malloc(capacity * sizeof *ages), scratch[4096];
  int64_t begin = now_ns() + 1000000000, end = begin + (int64_t)(seconds * 1e9), cpu = -1;
  for (int64_t now = now_ns(); now < end; now = now_ns()) {
    struct epoll_event ready[64];
    int n = epoll_wait(epoll, ready, 64, 100);
    if (cpu < 0 && now_ns() >= begin) cpu = cpu_ns(server);
    for (int i = 0; i < n; i++) {
      struct subscriber *from = ready[i].data.ptr;
      ssize_t got = read(from->fd, from->bytes + from->length, sizeof from->bytes - from->length);
      if (got <= 0) return fprintf(stderr, "a subscriber was hung up on\n"), 1;
      int64_t at = now_ns();
      from->length += (size_t)got;
      int messages = take(from, at, scratch);
      for (int m = 0; m < messages && at >= begin && used < capacity; m++) ages[used++] = scratch[m];
    }
  }
  cpu = cpu_ns(server) - cpu;
  feeding = 0;
  pthread_join(feeder, NULL);
  if (used == 0) return fprintf(stderr, "nothing was delivered\n"), 1;
  qsort(ages, used, sizeof *ages, compare);
  printf("%zu %lld %lld %lld %.4f\n", used, (long long)ages[used / 2], (long long)ages[used * 99 / 100],
         (long long)cpu, (double)used / (rate_hz * seconds * count));
  return 0;
}
