// A client for the tests of the library: says on stdout what comes, and does what lines on stdin say.
//
//   client [--page] [--wait] [--rate] [--interval SECONDS] [--socket PATH]
//
// Says  event STATE SEQUENCE X Y WHY | frame STATE RUNNING SEQUENCE X Y | no-frame | wakeups N | error CODE WHY
// Does  origin, clear, frame, wakeups, quit; the end of stdin is `quit`.
#include <parallax.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct parallax_client *client;
static long wakeups;

static void tell(const struct parallax_event *event, void *context) {
  (void)context;
  printf("event %s %lld %.17g %.17g %s\n", parallax_event_state(event), (long long)event->sequence, event->x,
         event->y, parallax_error(client));
}

static void tell_frame(void) {
  struct parallax_frame frame;
  if (!parallax_page_frame(client, &frame)) {
    puts("no-frame");
    return;
  }
  printf("frame %u %d %lld %.17g %.17g\n", parallax_frame_state(&frame), (int)(frame.flags & PARALLAX_FLAG_RUNNING),
         (long long)frame.sequence, frame.x, frame.y);
}

// false: that was the last one.
static bool obey(const char *word) {
  if (strcmp(word, "origin") == 0) parallax_set_origin(client);
  if (strcmp(word, "clear") == 0) parallax_clear_origin(client);
  if (strcmp(word, "frame") == 0) tell_frame();
  if (strcmp(word, "wakeups") == 0) printf("wakeups %ld\n", wakeups);
  return strcmp(word, "quit") != 0;
}

int main(int count, char **words) {
  struct parallax_options options = {0};
  bool page = false;
  char why[PARALLAX_TEXT_SIZE], line[64];
  setvbuf(stdout, NULL, _IOLBF, 0);
  setvbuf(stdin, NULL, _IONBF, 0);
  for (int index = 1; index < count; index += 1) {
    const char *word = words[index];
    if (strcmp(word, "--page") == 0) page = true;
    if (strcmp(word, "--wait") == 0) options.wait_for_daemon = true;
    if (strcmp(word, "--rate") == 0) options.rate = true;
    if (strcmp(word, "--interval") == 0 && index + 1 < count) options.min_interval = atof(words[index += 1]);
    if (strcmp(word, "--socket") == 0 && index + 1 < count) options.socket = words[index += 1];
  }
  int result = (page ? parallax_page_open : parallax_open)(&client, &options, why);
  if (result < 0) {
    printf("error %d %s\n", result, why);
    return 1;
  }
  struct pollfd watched[] = {{.fd = parallax_fd(client), .events = POLLIN}, {.fd = 0, .events = POLLIN}};
  for (;;) {
    if (poll(watched, 2, -1) < 0) continue;
    if (watched[1].revents) {
      if (!fgets(line, sizeof line, stdin)) break;
      line[strcspn(line, "\n")] = 0;
      if (!obey(line)) break;
    }
    if (!watched[0].revents) continue;
    wakeups += 1;
    result = parallax_dispatch(client, tell, NULL);
    if (result < 0) printf("error %d %s\n", result, parallax_error(client));
  }
  parallax_close(client);
  return 0;
}
