// Offsets as they come: cc subscribe.c -o subscribe $(pkg-config --cflags --libs parallax)
#include <parallax.h>
#include <stdio.h>

int main(void) {
  struct parallax_client *client;
  struct parallax_event event;
  char why[PARALLAX_TEXT_SIZE];
  if (parallax_open(&client, NULL, why) < 0) {
    fprintf(stderr, "%s\n", why);
    return 1;
  }
  while (parallax_next(client, -1, &event) > 0) {
    printf("%s %.2f %.2f\n", parallax_event_state(&event), event.x, event.y);
    fflush(stdout);
  }
  fprintf(stderr, "%s\n", parallax_error(client));
  parallax_close(client);
  return 1;
}
