// What `import Glibc` does not give to Swift: headers that its module map leaves out, variadic
// functions, and macros that are no constants. Nothing else lives here.
#ifndef PARALLAXD_CLINUX_H
#define PARALLAXD_CLINUX_H

// No _GNU_SOURCE here: it changes the layout of types that Swift's own Glibc module knows otherwise. What
// needs it is in clinux.c.
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <grp.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/// `open(2)` without a mode: Swift cannot call variadic functions.
static inline int clinux_open(const char *path, int flags) { return open(path, flags | O_CLOEXEC); }

/// `open(2)` with O_CREAT and a mode.
static inline int clinux_open_mode(const char *path, int flags, mode_t mode) {
  return open(path, flags | O_CLOEXEC, mode);
}

/// `fcntl(2)` with an integer argument.
static inline int clinux_fcntl(int fd, int command, int argument) {
  return fcntl(fd, command, argument);
}

/// `ioctl(2)` with a pointer argument.
static inline int clinux_ioctl(int fd, unsigned long request, void *argument) {
  return ioctl(fd, request, argument);
}

/// Blocks every signal for the calling thread (and the threads it makes), but those that do what they do everywhere: of
/// a crash, since who sends one, as systemd's watchdog does, wants one, and of a terminal's Ctrl-\ and Ctrl-Z.
static inline int clinux_block_signals(void) {
  static const int others[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP, SIGQUIT, SIGTSTP};
  sigset_t all;
  sigfillset(&all);
  for (size_t index = 0; index < sizeof others / sizeof *others; index += 1) sigdelset(&all, others[index]);
  return pthread_sigmask(SIG_BLOCK, &all, NULL);
}

/// Takes the numbers 0, 1 and 2 where they are closed, so that no socket gets one and is written to as if it
/// were standard output. Reading and writing fail with EBADF as before. 0, or −1 with errno.
int clinux_reserve_standard_descriptors(void);

/// Word `index` of the command line as main() got it, 0 the program's name; NULL behind the last.
const char *clinux_argument(int index);

/// SO_PEERCRED: who is at the other end of a Unix socket. 0, or −1 with errno.
int clinux_peer_credentials(int fd, pid_t *pid, uid_t *uid, gid_t *gid);

/// SO_PEERGROUPS: the supplementary groups of the other end. The number of groups, or −1 with errno
/// (ERANGE: more than `capacity`).
int clinux_peer_groups(int fd, gid_t *groups, unsigned capacity);

/// SO_COOKIE: the kernel's number of a socket, never used again while it is up. 0, or −1 with errno.
int clinux_socket_cookie(int fd, uint64_t *cookie);

/// Stores a word after everything that the program stores before it and before everything that it stores later, as
/// who looks at the memory after the process has been killed sees it.
static inline void clinux_store_ordered(uint64_t *word, uint64_t value) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/// `accept4(2)`: non-blocking and closed on exec.
int clinux_accept(int fd);

/// Sends the same bytes to `fds[from]` and those after it without blocking, for as long as each takes all of them.
/// Which one did not (`count`: all did), and how much that one took: fewer, or −1 with errno.
///
/// Not by send(2): a C library makes every call of that a place where the thread may be cancelled, which is a
/// tenth of what the call itself costs.
size_t clinux_send_to_each(const int *fds, size_t from, size_t count, const void *bytes, size_t length,
                           ssize_t *taken);

/// One step of getopt_long(3), whose globals Swift 6 does not let through. `restart` begins at the first
/// word. Answers what getopt_long does; `*index` becomes optind, `*value` optarg, `*wrong` optopt: the letter
/// at fault, 0 or a value of `table` where it is no letter.
int clinux_getopt(int argc, char **argv, const char *letters, const struct option *table, int restart,
                  int *index, const char **value, int *wrong);

/// `memfd_create(2)`: closed on exec, can be sealed.
int clinux_memfd_create(const char *name);

/// Seals a memfd: it can no longer shrink, grow, or be sealed otherwise. 0, or −1 with errno.
int clinux_seal_size(int fd);

/// Whether a memfd can neither shrink nor grow: 1 or 0; −1 with errno where it is no memfd.
int clinux_size_is_sealed(int fd);

/// Another number for the same, closed on exec: `fcntl(2)`, F_DUPFD_CLOEXEC.
int clinux_duplicate(int fd);

/// `sendmsg(2)` of bytes with a descriptor (SCM_RIGHTS), which goes with the first of them. Does not block.
ssize_t clinux_send_with_descriptor(int socket, const void *bytes, size_t count, int descriptor);

/// `recvmsg(2)` of bytes and the descriptor that may come with them, closed on exec. Does not block.
/// `*descriptor` is −1 where none came; of several the first one is kept and the others are closed.
ssize_t clinux_receive_with_descriptor(int socket, void *bytes, size_t count, int *descriptor);

/// CLOCK_MONOTONIC in nanoseconds.
static inline int64_t clinux_monotonic_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/// CLOCK_BOOTTIME in nanoseconds: CLOCK_MONOTONIC and the time that the machine was suspended.
static inline int64_t clinux_boottime_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
