#define _GNU_SOURCE
#include "clinux.h"

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

int clinux_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

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
