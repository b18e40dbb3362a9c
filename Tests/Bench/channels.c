// How the benchmark's subscribers connect, and how an event looks on each kind of connection. MQTT is 3.1.1 as far as
// QoS 0 needs it (docs.oasis-open.org/mqtt/mqtt/v3.1.1), spoken here so that the client costs all servers the same.
#include "subscribers.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "parallax_page.h"

static const char open_page[] = "{\"method\":\"org.parallaxd.Motion.OpenPage\"}";

int64_t cpu_ns(int pid) {
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

long memory_kib(int pid, const char *name) {
  char path[64], line[256];
  long kib = 0;
  snprintf(path, sizeof path, "/proc/%d/status", pid);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    if (strncmp(line, name, strlen(name)) == 0) kib = atol(line + strlen(name) + 1);
  }
  if (file) fclose(file);
  return kib;
}

static int connect_unix(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0) die("connect");
  return fd;
}

static void send_all(int fd, const void *bytes, size_t length) {
  if (send(fd, bytes, length, MSG_NOSIGNAL) != (ssize_t)length) die("send");
}

static void expect(int fd, size_t length, unsigned char kind) {
  unsigned char bytes[16];
  if (recv(fd, bytes, length, MSG_WAITALL) != (ssize_t)length || bytes[0] != kind) die("the broker's answer");
}

int mqtt_connect(const char *path, const char *name) {
  int fd = connect_unix(path);
  unsigned char packet[64] = {0x10, 0, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, 0};
  const size_t length = strlen(name);
  packet[1] = (unsigned char)(12 + length);
  packet[13] = (unsigned char)length;
  memcpy(packet + 14, name, length);
  send_all(fd, packet, 14 + length);
  expect(fd, 4, 0x20);
  return fd;
}

static int mqtt_subscribe(const char *path, int number) {
  char name[16];
  snprintf(name, sizeof name, "s%d", number);
  int fd = mqtt_connect(path, name);
  static const unsigned char packet[] = {0x82, 6, 0, 1, 0, 1, 'm', 0};
  send_all(fd, packet, sizeof packet);
  expect(fd, 5, 0x90);
  return fd;
}

void mqtt_publish(int fd, const char *text, size_t length) {
  unsigned char packet[512] = {0x30};
  const size_t rest = length + 3;
  size_t at = 1;
  packet[at++] = (unsigned char)(rest % 128 | (rest >= 128 ? 128 : 0));
  if (rest >= 128) packet[at++] = (unsigned char)(rest / 128);
  packet[at++] = 0;
  packet[at++] = 1;
  packet[at++] = 'm';
  memcpy(packet + at, text, length);
  send_all(fd, packet, at + length);
}

static const void *receive_page(int fd) {
  char text[256], room[CMSG_SPACE(sizeof(int))];
  struct iovec vector = {text, sizeof text};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  if (recvmsg(fd, &message, MSG_CMSG_CLOEXEC) <= 0) die("OpenPage");
  const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (!header || header->cmsg_type != SCM_RIGHTS) die("OpenPage gave no page");
  int page;
  memcpy(&page, CMSG_DATA(header), sizeof page);
  const void *mapped = mmap(NULL, PARALLAX_PAGE_SIZE, PROT_READ, MAP_SHARED, page, 0);
  if (mapped == MAP_FAILED || !parallax_page_check(mapped, PARALLAX_PAGE_SIZE)) die("map the page");
  close(page);
  return mapped;
}

int connect_all(struct subscriber *all, int count, char **words, const void **page) {
  const char *kind = words[0];
  for (int i = 0; i < count; i++) {
    if (strcmp(kind, "messages") == 0) {
      all[i].fd = connect_unix(words[1]);
      if (*words[2]) send_all(all[i].fd, words[2], strlen(words[2]) + 1);
    } else if (strcmp(kind, "mqtt") == 0) {
      all[i].fd = mqtt_subscribe(words[1], i);
    } else if (strcmp(kind, "page") == 0) {
      all[i].fd = connect_unix(words[1]);
      send_all(all[i].fd, open_page, sizeof open_page);
      *page = receive_page(all[i].fd);
    } else {
      all[i].fd = atoi(words[1 + i]);
    }
  }
  if (strcmp(kind, "messages") == 0) return CHANNEL_MESSAGES;
  if (strcmp(kind, "mqtt") == 0) return CHANNEL_MQTT;
  return strcmp(kind, "page") == 0 ? CHANNEL_PAGE : CHANNEL_SCANS;
}

// The length of the first whole event in the bytes, 0 where there is none.
static size_t event_length(int channel, const char *bytes, size_t length) {
  if (channel == CHANNEL_SCANS) return length >= sizeof(struct scan) ? sizeof(struct scan) : 0;
  if (channel == CHANNEL_MESSAGES) {
    const char *end = memchr(bytes, 0, length);
    return end ? (size_t)(end - bytes) + 1 : 0;
  }
  size_t rest = 0, at = 1;
  for (int shift = 0; at < length; shift += 7) {
    const unsigned char byte = (unsigned char)bytes[at++];
    rest |= (size_t)(byte & 127) << shift;
    if (byte < 128) return at + rest <= length ? at + rest : 0;
  }
  return 0;
}

size_t take(int channel, struct subscriber *from, int64_t *stamps) {
  static const char name[] = "\"timestamp_ns\":";
  size_t count = 0, start = 0, length;
  while (count < MOST_AT_ONCE && (length = event_length(channel, from->bytes + start, from->length - start))) {
    const char *event = from->bytes + start;
    if (channel == CHANNEL_SCANS) {
      memcpy(&stamps[count++], event + 8, sizeof *stamps);
    } else {
      const char *found = memmem(event, length, name, sizeof name - 1);
      // The stamp of the present state, before the first scan, is 0.
      const int64_t stamp = found ? strtoll(found + sizeof name - 1, NULL, 10) : 0;
      if (stamp > 0) stamps[count++] = stamp;
    }
    start += length;
  }
  from->length -= start;
  memmove(from->bytes, from->bytes + start, from->length);
  return count;
}

int page_age(const void *page, int64_t *age) {
  struct parallax_frame frame;
  if (!parallax_page_read(page, &frame) || !(frame.flags & PARALLAX_FLAG_RUNNING)) return 0;
  *age = now_ns() - frame.timestamp_ns;
  return 1;
}

double page_read_time_ns(const void *page) {
  enum { READS = 5000000 };
  struct parallax_frame frame;
  volatile double sink = 0;
  const int64_t begin = now_ns();
  for (int i = 0; i < READS; i++) {
    if (parallax_page_read(page, &frame)) sink = frame.x;
  }
  (void)sink;
  return (double)(now_ns() - begin) / READS;
}
