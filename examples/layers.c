// Three layers that follow the device: a sun, hills and trees in a window (SDL 2).
//
//   cc layers.c -o layers $(pkg-config --cflags --libs parallax sdl2)
//   ./layers [--events] [--screenshot FILE.bmp [--until SEQUENCE]]
//
// Each layer moves by the offset divided by its depth. Frames come from the daemon's page, moved on to the time
// when they will be seen; from events where the daemon has no page, or with --events.
#include <SDL.h>
#include <parallax.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 640, HEIGHT = 360 };

struct layer {
  double depth;
  SDL_Color ground, mark;
  // The ground's height, its waves, and where the mark is: a sun, a balloon, a kite.
  int height, wave, mark_x, mark_y, mark_radius;
};

static const struct layer layers[] = {
    {4, {92, 107, 148, 255}, {255, 214, 90, 255}, 100, 180, 110, 70, 34},
    {2, {62, 98, 98, 255}, {226, 84, 60, 255}, 60, 120, 330, 130, 22},
    {1, {30, 54, 40, 255}, {240, 240, 240, 255}, 25, 70, 520, 215, 14},
};

// Where the content belongs, from whichever there is.
struct source {
  struct parallax_client *client;
  bool is_page;
  struct parallax_event event;
};

static void keep(const struct parallax_event *event, void *context) { *(struct parallax_event *)context = *event; }

// 0, or an error that has been told. With the page first; a daemon without one has events.
static int open_source(struct source *source, bool page) {
  char why[PARALLAX_TEXT_SIZE];
  struct parallax_options options = {.wait_for_daemon = true};
  source->is_page = page;
  int error = (page ? parallax_page_open : parallax_open)(&source->client, &options, why);
  if (error) fprintf(stderr, "layers: %s\n", why);
  return error;
}

// Offset at a time, and the update that it comes from; false: the daemon will not give any, which has been told.
static bool look(struct source *source, int64_t at, double *x, double *y, int64_t *sequence) {
  int result = parallax_dispatch(source->client, keep, &source->event);
  if (result == PARALLAX_ERROR_REFUSED && source->is_page) {
    parallax_close(source->client);
    source->client = NULL;
    return open_source(source, false) == 0 && look(source, at, x, y, sequence);
  }
  if (result < 0) {
    fprintf(stderr, "layers: %s\n", parallax_error(source->client));
    return false;
  }
  struct parallax_frame frame;
  *x = source->event.x;
  *y = source->event.y;
  *sequence = source->event.sequence;
  if (source->is_page && parallax_page_frame(source->client, &frame)) {
    parallax_extrapolate(&frame, at, x, y);
    *sequence = frame.sequence;
  }
  return true;
}

// Half a wave: a hill's height above the ground at a column.
static int hill(int column, int wave) {
  int at = ((column % wave) + wave) % wave;
  return at * (wave - at) * 40 / (wave * wave / 4);
}

// A layer, moved by so many pixels to the right and up.
static void draw_layer(SDL_Renderer *renderer, const struct layer *layer, int x, int y) {
  SDL_SetRenderDrawColor(renderer, layer->mark.r, layer->mark.g, layer->mark.b, 255);
  for (int row = -layer->mark_radius; row <= layer->mark_radius; row += 1) {
    int half = 0;
    while ((half + 1) * (half + 1) + row * row <= layer->mark_radius * layer->mark_radius) half += 1;
    int line = layer->mark_y + row - y;
    SDL_RenderDrawLine(renderer, layer->mark_x + x - half, line, layer->mark_x + x + half, line);
  }
  SDL_SetRenderDrawColor(renderer, layer->ground.r, layer->ground.g, layer->ground.b, 255);
  for (int column = 0; column < WIDTH; column += 1) {
    int top = HEIGHT - layer->height - hill(column - x, layer->wave) - y;
    SDL_RenderDrawLine(renderer, column, top, column, HEIGHT);
  }
}

static void draw(SDL_Renderer *renderer, double x, double y) {
  SDL_SetRenderDrawColor(renderer, 150, 180, 220, 255);
  SDL_RenderClear(renderer);
  for (size_t index = 0; index < sizeof layers / sizeof *layers; index += 1) {
    double depth = layers[index].depth;
    draw_layer(renderer, &layers[index], (int)SDL_lround(x / depth), (int)SDL_lround(y / depth));
  }
}

static bool save(SDL_Renderer *renderer, const char *path) {
  SDL_Surface *picture = SDL_CreateRGBSurfaceWithFormat(0, WIDTH, HEIGHT, 24, SDL_PIXELFORMAT_BGR24);
  bool is_saved = picture &&
                  SDL_RenderReadPixels(renderer, NULL, SDL_PIXELFORMAT_BGR24, picture->pixels, picture->pitch) == 0 &&
                  SDL_SaveBMP(picture, path) == 0;
  SDL_FreeSurface(picture);
  if (!is_saved) fprintf(stderr, "layers: %s: %s\n", path, SDL_GetError());
  return is_saved;
}

static bool is_quit(void) {
  SDL_Event event;
  while (SDL_PollEvent(&event))
    if (event.type == SDL_QUIT || (event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_q)) return true;
  return false;
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// Draws until the window is closed, or the update `until` has been drawn and saved; an exit code.
static int run(SDL_Renderer *renderer, struct source *source, const char *screenshot, int64_t until) {
  SDL_RendererInfo info;
  SDL_GetRendererInfo(renderer, &info);
  while (!is_quit()) {
    double x, y;
    int64_t sequence;
    // About a frame from now it will be seen.
    if (!look(source, now() + 16000000, &x, &y, &sequence)) return 1;
    draw(renderer, x, y);
    if (screenshot && sequence >= until) return save(renderer, screenshot) ? 0 : 1;
    SDL_RenderPresent(renderer);
    if (!(info.flags & SDL_RENDERER_PRESENTVSYNC)) SDL_Delay(16);
  }
  return 0;
}

int main(int count, char **words) {
  const char *screenshot = NULL;
  int64_t until = -1;
  bool page = true;
  for (int index = 1; index < count; index += 1) {
    if (strcmp(words[index], "--events") == 0) {
      page = false;
    } else if (strcmp(words[index], "--screenshot") == 0 && index + 1 < count) {
      screenshot = words[index += 1];
    } else if (strcmp(words[index], "--until") == 0 && index + 1 < count) {
      until = atoll(words[index += 1]);
    } else {
      fprintf(stderr, "usage: layers [--events] [--screenshot FILE.bmp [--until SEQUENCE]]\n");
      return 64;
    }
  }
  struct source source = {.event = {.sequence = -1}};
  if (open_source(&source, page) != 0) return 1;
  SDL_Window *window = NULL;
  SDL_Renderer *renderer = NULL;
  int code = 1;
  if (SDL_Init(SDL_INIT_VIDEO) != 0 || SDL_CreateWindowAndRenderer(WIDTH, HEIGHT, 0, &window, &renderer) != 0)
    fprintf(stderr, "layers: %s\n", SDL_GetError());
  else
    code = run(renderer, &source, screenshot, until);
  parallax_close(source.client);
  SDL_DestroyRenderer(renderer);
  SDL_DestroyWindow(window);
  SDL_Quit();
  return code;
}
