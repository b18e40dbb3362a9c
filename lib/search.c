/* Where the daemon's socket is, in the order of parallaxctl. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

static const char system_socket[] = "/run/parallaxd/socket";

/* Adds a path; false where it is too long for a socket's address. */
static bool add(struct parallax_search *search, const char *folder, const char *name) {
  size_t size = sizeof search->paths[0];
  int length = snprintf(search->paths[search->count], size, "%s%s", folder, name);
  if (length < 0 || (size_t)length >= size) return false;
  search->count += 1;
  return true;
}

int parallax_search_paths(struct parallax_search *search, const char *given, char *why) {
  memset(search, 0, sizeof *search);
  /* A set-user-ID program does not let its environment choose. */
  const char *named = given ? given : secure_getenv("PARALLAXD_SOCKET");
  if (given && !*given) {
    snprintf(why, PARALLAX_TEXT_SIZE, "the path of the socket is empty");
    return PARALLAX_ERROR_ARGUMENT;
  }
  if (named && *named) {
    if (add(search, named, "")) return 0;
    snprintf(why, PARALLAX_TEXT_SIZE, "%.60s... is too long for a socket's path: at most %zu bytes", named,
             sizeof search->paths[0] - 1);
    return PARALLAX_ERROR_ARGUMENT;
  }
  add(search, system_socket, "");
  const char *runtime = secure_getenv("XDG_RUNTIME_DIR");
  if (runtime && *runtime == '/') add(search, runtime, "/parallaxd/socket");
  return 0;
}

/* A connected socket, or -1 with errno. Connecting to a Unix socket never takes time: it fails instead. */
static int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, path, strlen(path) + 1);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -1;
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  int reason = errno;
  close(descriptor);
  errno = reason;
  return -1;
}

/* connect(2) says of a file of any kind what it says of a socket that was left behind. */
static bool is_other_than_socket(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && !S_ISSOCK(about.st_mode);
}

/* An error of connect(2), told. */
static int refusal(const char *path, int reason, bool *is_temporary, char *why) {
  *is_temporary = true;
  switch (reason) {
    case ECONNREFUSED:
      if (is_other_than_socket(path))
        snprintf(why, PARALLAX_TEXT_SIZE, "%s is no socket: name parallaxd's", path);
      else
        snprintf(why, PARALLAX_TEXT_SIZE, "nobody listens on %s: start parallaxd again", path);
      return PARALLAX_ERROR_NO_DAEMON;
    case EAGAIN:
      snprintf(why, PARALLAX_TEXT_SIZE, "the daemon at %s is too busy to take the connection", path);
      return PARALLAX_ERROR_NO_DAEMON;
    case EACCES:
    case EPERM:
      *is_temporary = false;
      snprintf(why, PARALLAX_TEXT_SIZE, "you may not connect to %s: `parallaxctl status` says who may", path);
      return PARALLAX_ERROR_PERMISSION;
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
      break;
    default:
      /* No socket, or none of this kind. */
      *is_temporary = false;
  }
  errno = reason;
  snprintf(why, PARALLAX_TEXT_SIZE, "connect to %s: %m", path);
  return PARALLAX_ERROR_SYSTEM;
}

int parallax_search_connect(struct parallax_search *search, bool *is_temporary, char *why) {
  for (int index = 0; index < search->count; index += 1) {
    int descriptor = connect_to(search->paths[index]);
    if (descriptor < 0 && (errno == ENOENT || errno == ENOTDIR)) continue;
    if (descriptor < 0) return refusal(search->paths[index], errno, is_temporary, why);
    /* A daemon that comes back does so there; another one was not meant. */
    if (index > 0) memcpy(search->paths[0], search->paths[index], sizeof search->paths[0]);
    search->count = 1;
    return descriptor;
  }
  *is_temporary = true;
  if (search->count > 1)
    snprintf(why, PARALLAX_TEXT_SIZE, "no daemon: neither %.100s nor %.100s exists; start parallaxd",
             search->paths[0], search->paths[1]);
  else
    snprintf(why, PARALLAX_TEXT_SIZE, "no daemon: %s does not exist; start parallaxd", search->paths[0]);
  return PARALLAX_ERROR_NO_DAEMON;
}
