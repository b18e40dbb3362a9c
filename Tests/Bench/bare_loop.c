// The least that any program could do for a sensor's subscribers: what parallaxd's latency and CPU time are
// held against. Reads scans from a FIFO, applies the default rule to each, formats the event and sends it to
// every client; no settings, no checks, no second protocol, no back-pressure.
//
//   bare_loop FIFO SOCKET CLIENTS SCALE
//
// A scan is 16 bytes in this machine's order: s16 x, y, z, two bytes of padding, s64 nanoseconds. SCALE is
// rad/s per LSB. Says "listening" when clients may connect, starts when CLIENTS of them have, and ends with
// the FIFO's last writer or with a client. What clients send is not read.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <fcntl.h>
#include <unistd.h>

enum { MOST_CLIENTS = 1100, SCANS_A_READ = 64 };

struct scan {
  int16_t x, y, z;
  int16_t padding;
  int64_t timestamp_ns;
};
_Static_assert(sizeof(struct scan) == 16, "the layout of an IIO scan");

static int die(const char *what) {
  perror(what);
  return 1;
}

static int accept_clients(const char *path, int *clients, int count) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return -1;
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0) return -1;
  if (listen(listener, count) != 0) return -1;
  puts("listening");
  fflush(stdout);
  for (int i = 0; i < count; i++) {
    clients[i] = accept(listener, NULL, NULL);
    if (clients[i] < 0) return -1;
  }
  return close(listener);
}

// Whole scans into `scans`: how many, 0 at the end, −1 with errno. A FIFO may break one in two.
static int read_scans(int fd, struct scan *scans) {
  size_t have = 0;
  do {
    ssize_t n = read(fd, (char *)scans + have, SCANS_A_READ * sizeof *scans - have);
    if (n <= 0) return (int)n;
    have += (size_t)n;
  } while (have % sizeof *scans != 0);
  return (int)(have / sizeof *scans);
}

static double moved(double rate) { return fabs(rate) > 0.1 ? rate * 2.5 : 0; }

int main(int argc, char **argv) {
  if (argc != 5) {
    fputs("usage: bare_loop FIFO SOCKET CLIENTS SCALE\n", stderr);
    return 2;
  }
  int count = atoi(argv[3]);
  double scale = strtod(argv[4], NULL);
  if (count < 1 || count > MOST_CLIENTS || !(scale > 0)) {
    fprintf(stderr, "bare_loop: 1 to %d clients, a scale above 0\n", MOST_CLIENTS);
    return 2;
  }
  int clients[MOST_CLIENTS];
  if (accept_clients(argv[2], clients, count) != 0) return die(argv[2]);
  int fifo = open(argv[1], O_RDONLY | O_CLOEXEC);
  if (fifo < 0) return die(argv[1]);

  struct scan scans[SCANS_A_READ];
  double x = 0, y = 0;
  int64_t sequence = -1;
  int got;
  while ((got = read_scans(fifo, scans)) > 0) {
    for (int i = 0; i < got; i++) {
      x += moved(scans[i].y * scale);
      y += moved(scans[i].x * scale);
      sequence++;
      char event[256];
      int length = snprintf(
          event, sizeof event,
          "{\"parameters\":{\"sequence\":%lld,\"timestamp_ns\":%lld,\"x\":%.17g,\"y\":%.17g,"
          "\"state\":\"running\",\"reduced_motion\":false},\"continues\":true}",
          (long long)sequence, (long long)scans[i].timestamp_ns, x, y);
      for (int c = 0; c < count; c++) {
        // With the NUL that ends a Varlink message.
        if (send(clients[c], event, (size_t)length + 1, MSG_NOSIGNAL) < 0) return die("send");
      }
    }
  }
  return got == 0 ? 0 : die(argv[1]);
}
