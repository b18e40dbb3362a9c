// Preloaded into the daemon: a machine that sleeps when a test wants it. CLOCK_BOOTTIME is ahead by the seconds in
// the file that SLEPT_FILE names, and the timer that the kernel cancels at a resume is the FIFO of RESUME_FIFO.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#ifndef TFD_TIMER_CANCEL_ON_SET
#define TFD_TIMER_CANCEL_ON_SET 2
#endif

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*next)(clockid_t, struct timespec *);
  if (!next) next = dlsym(RTLD_NEXT, "clock_gettime");
  int result = next(clock, time);
  const char *path = getenv("SLEPT_FILE");
  if (clock != CLOCK_BOOTTIME || result != 0 || !path) return result;
  FILE *file = fopen(path, "re");
  long seconds = 0;
  if (file && fscanf(file, "%ld", &seconds) == 1) time->tv_sec += seconds;
  if (file) fclose(file);
  return 0;
}

int timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *old) {
  static int (*next)(int, int, const struct itimerspec *, struct itimerspec *);
  if (!next) next = dlsym(RTLD_NEXT, "timerfd_settime");
  const char *path = getenv("RESUME_FIFO");
  if (!(flags & TFD_TIMER_CANCEL_ON_SET) || !path) return next(fd, flags, value, old);
  // In its place from the first setting on; what the loop watches must stay the same file.
  struct stat status;
  if (fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode)) return 0;
  int fifo = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (fifo < 0) return -1;
  int result = dup3(fifo, fd, O_CLOEXEC);
  close(fifo);
  return result < 0 ? -1 : 0;
}
