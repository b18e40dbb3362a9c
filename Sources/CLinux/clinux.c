#define _GNU_SOURCE
#include "clinux.h"

#include <string.h>
#include <sys/syscall.h>

#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif

static int argument_count;
static char **argument_words;

// glibc gives a constructor what it gives main(), which Swift writes itself.
__attribute__((constructor)) static void keep_arguments(int count, char **words) {
  argument_count = count;
  argument_words = words;
}

const char *clinux_argument(int index) { return index < argument_count ? argument_words[index] : NULL; }

int clinux_peer_credentials(int fd, pid_t *pid, uid_t *uid, gid_t *gid) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0) return -1;
  *pid = peer.pid;
  *uid = peer.uid;
  *gid = peer.gid;
  return 0;
}

int clinux_peer_groups(int fd, gid_t *groups, unsigned capacity) {
  socklen_t size = capacity * sizeof(gid_t);
  if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size) < 0) return -1;
  return (int)(size / sizeof(gid_t));
}

int clinux_socket_cookie(int fd, uint64_t *cookie) {
  socklen_t size = sizeof *cookie;
  return getsockopt(fd, SOL_SOCKET, SO_COOKIE, cookie, &size);
}

int clinux_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

size_t clinux_send_to_each(const int *fds, size_t from, size_t count, const void *bytes, size_t length,
                           ssize_t *taken) {
  for (size_t index = from; index < count; index += 1) {
    *taken = syscall(SYS_sendto, fds[index], bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL, NULL, 0);
    if (*taken != (ssize_t)length) return index;
  }
  return count;
}

int clinux_getopt(int argc, char **argv, const char *letters, const struct option *table, int restart,
                  int *index, const char **value, int *wrong) {
  if (restart) optind = 0;
  opterr = 0;
  optarg = NULL;
  int code = getopt_long(argc, argv, letters, table, NULL);
  *index = optind;
  *value = optarg;
  *wrong = optopt;
  return code;
}

int clinux_reserve_standard_descriptors(void) {
  for (int fd = 0; fd <= 2; fd += 1) {
    if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest number that is free is this one; opened the wrong way round on purpose.
    if (open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd) return -1;
  }
  return 0;
}

int clinux_duplicate(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 0); }

int clinux_memfd_create(const char *name) { return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); }

int clinux_seal_size(int fd) { return fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL); }

int clinux_size_is_sealed(int fd) {
  int seals = fcntl(fd, F_GET_SEALS);
  if (seals < 0) return -1;
  return (seals & F_SEAL_SHRINK) && (seals & F_SEAL_GROW);
}

ssize_t clinux_send_with_descriptor(int socket, const void *bytes, size_t count, int descriptor) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec vector = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &vector,
                           .msg_iovlen = 1,
                           .msg_control = control.space,
                           .msg_controllen = sizeof control.space};
  memset(&control, 0, sizeof control);
  control.header.cmsg_level = SOL_SOCKET;
  control.header.cmsg_type = SCM_RIGHTS;
  control.header.cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(&control.header), &descriptor, sizeof(int));
  return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ssize_t clinux_receive_with_descriptor(int socket, void *bytes, size_t count, int *descriptor) {
  enum { most = 8 };
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(most * sizeof(int))];
  } control;
  struct iovec vector = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &vector,
                           .msg_iovlen = 1,
                           .msg_control = control.space,
                           .msg_controllen = sizeof control.space};
  *descriptor = -1;
  ssize_t received = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (received < 0) return received;
  for (struct cmsghdr *part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    size_t number = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < number; index += 1) {
      int one;
      memcpy(&one, CMSG_DATA(part) + index * sizeof(int), sizeof(int));
      if (*descriptor < 0) *descriptor = one;
      else close(one);
    }
  }
  return received;
}
