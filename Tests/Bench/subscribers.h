// What the parts of the benchmark's client share; subscribers.c says what it is.
#ifndef SUBSCRIBERS_H
#define SUBSCRIBERS_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <stddef.h>
#include <stdint.h>

enum { MOST_AT_ONCE = 4096 };

// As the made-up device lays it out.
struct scan {
  int16_t x, y, z, padding;
  int64_t timestamp_ns;
};

struct subscriber {
  int fd;
  int served;
  size_t length;
  char bytes[65536];
};

enum { CHANNEL_MESSAGES, CHANNEL_MQTT, CHANNEL_SCANS, CHANNEL_PAGE };

int64_t now_ns(void);
// Says errno and ends.
void die(const char *what);

// Nanoseconds that all threads of a process have run, user and system.
int64_t cpu_ns(int pid);
// A line of /proc/PID/status, such as VmRSS; 0 where there is none.
long memory_kib(int pid, const char *name);

// Connects `count` subscribers as the words say; which channel it is. A page of theirs into `*page`.
int connect_all(struct subscriber *all, int count, char **words, const void **page);
// Timestamps of the whole events in a subscriber's bytes, at most MOST_AT_ONCE; what is left moves to the front.
size_t take(int channel, struct subscriber *from, int64_t *stamps);

// A connection to a broker at a Unix socket.
int mqtt_connect(const char *path, const char *name);
void mqtt_publish(int fd, const char *text, size_t length);

// Nanoseconds since the scan in a page's newest record; 0 where none can be read.
int page_age(const void *page, int64_t *age);
// Nanoseconds that one read of a page takes.
double page_read_time_ns(const void *page);

#endif
