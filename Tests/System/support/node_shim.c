// Preloaded into the daemon: what only a kernel does to a device node. While the file that BUSY_FILE names exists,
// opening a node of an IIO device fails with EBUSY; while RAW_BUSY_FILE's does, so does reading raw values.
// While NO_SOCKETS_FILE's does, there are no sockets of the internet family. A program that has opened a file whose
// path ends with KILL_AFTER to write to it is killed before it opens or writes anything else.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int is_there(const char *variable) {
  const char *path = getenv(variable);
  return path && access(path, F_OK) == 0;
}

static int is_refused(const char *path) {
  if (!strncmp(path, "/dev/iio:device", 15)) return is_there("BUSY_FILE");
  size_t length = strlen(path);
  return length > 4 && !strcmp(path + length - 4, "_raw") && is_there("RAW_BUSY_FILE");
}

// After the file has been written; before anything is written elsewhere.
static int is_doomed;

static void see(const char *path, int writes) {
  if (is_doomed) raise(SIGKILL);
  const char *wanted = getenv("KILL_AFTER");
  if (!wanted || !writes) return;
  size_t length = strlen(path), tail = strlen(wanted);
  is_doomed = length >= tail && !strcmp(path + length - tail, wanted);
}

ssize_t write(int fd, const void *bytes, size_t count) {
  static ssize_t (*next)(int, const void *, size_t);
  if (!next) next = dlsym(RTLD_NEXT, "write");
  if (is_doomed) raise(SIGKILL);
  return next(fd, bytes, count);
}

#define OPEN(name)                                               \
  int name(const char *path, int flags, ...) {                   \
    static int (*next)(const char *, int, ...);                  \
    if (!next) next = dlsym(RTLD_NEXT, #name);                   \
    va_list rest;                                                \
    va_start(rest, flags);                                       \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;    \
    va_end(rest);                                                \
    if (is_refused(path)) return errno = EBUSY, -1;              \
    see(path, (flags & O_ACCMODE) != O_RDONLY);                  \
    return next(path, flags, mode);                              \
  }
OPEN(open)
OPEN(open64)

#define FOPEN(name)                                              \
  FILE *name(const char *path, const char *mode) {               \
    static FILE *(*next)(const char *, const char *);            \
    if (!next) next = dlsym(RTLD_NEXT, #name);                   \
    if (is_refused(path)) return errno = EBUSY, NULL;            \
    see(path, mode[0] != 'r' || strchr(mode, '+'));              \
    return next(path, mode);                                     \
  }
FOPEN(fopen)
FOPEN(fopen64)

int socket(int domain, int type, int protocol) {
  static int (*next)(int, int, int);
  if (!next) next = dlsym(RTLD_NEXT, "socket");
  if ((domain == AF_INET || domain == AF_INET6) && is_there("NO_SOCKETS_FILE")) return errno = EAFNOSUPPORT, -1;
  return next(domain, type, protocol);
}
