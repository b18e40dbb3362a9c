// What the library makes of replies: a table of them, then mutations of it. Built with sanitizers.
//
//   reply SEED ROUNDS
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/internal.h"

static uint64_t random_state;

// xorshift64*, from Vigna's "An experimental exploration of Marsaglia's xorshift generators".
static uint64_t next_random(void) {
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return random_state * UINT64_C(2685821657736338717);
}

struct example {
  const char *text;
  bool page;
  enum parallax_reply_kind kind;
};

#define EVENT "\"sequence\":7,\"timestamp_ns\":210000000,\"x\":1.5,\"y\":-2,\"state\":\"running\",\"reduced_motion\":false"
#define WITH(more) "{\"parameters\":{" EVENT more "},\"continues\":true}"

static const struct example examples[] = {
    {WITH(""), false, PARALLAX_REPLY_EVENT},
    {WITH(",\"reason\":null,\"rate\":null"), false, PARALLAX_REPLY_EVENT},
    {WITH(",\"reason\":\"user\",\"gap\":true,\"dropped\":3"), false, PARALLAX_REPLY_EVENT},
    {WITH(",\"rate\":{\"x\":1,\"y\":2e-3,\"z\":-0.5},\"tilt\":{\"x\":0,\"y\":1}"), false, PARALLAX_REPLY_EVENT},
    {WITH(",\"of_a_newer_daemon\":[{\"a\":{}}]"), false, PARALLAX_REPLY_EVENT},
    {WITH(",\"new\":[[[[[[[[[[[[[[]]]]]]]]]]]]]]"), false, PARALLAX_REPLY_EVENT},
    {WITH(",\"new\":[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]"), false, PARALLAX_REPLY_JUNK},
    {WITH(",\"new\":\"[[[[[[[[[[[[[[[[[[[\\\"[[[[\""), false, PARALLAX_REPLY_EVENT},
    {WITH(",\"reason\":5"), false, PARALLAX_REPLY_JUNK},
    {WITH(",\"dropped\":-1"), false, PARALLAX_REPLY_JUNK},
    {WITH(",\"rate\":{\"x\":1,\"y\":2}"), false, PARALLAX_REPLY_JUNK},
    {WITH(",\"rate\":[]"), false, PARALLAX_REPLY_JUNK},
    {WITH(",\"x\":1"), false, PARALLAX_REPLY_JUNK},
    {"{\"parameters\":{\"sequence\":7,\"timestamp_ns\":1,\"x\":1e300,\"y\":0,\"state\":\"idle\"}}", false, PARALLAX_REPLY_JUNK},
    {"{\"parameters\":{\"sequence\":7,\"timestamp_ns\":1,\"x\":1e999,\"y\":0,\"state\":\"idle\"}}", false, PARALLAX_REPLY_JUNK},
    {"{\"parameters\":{\"sequence\":7,\"timestamp_ns\":1,\"x\":NaN,\"y\":0,\"state\":\"idle\"}}", false, PARALLAX_REPLY_JUNK},
    {"{\"parameters\":{\"sequence\":99999999999999999999,\"timestamp_ns\":1,\"x\":0,\"y\":0,\"state\":\"idle\"}}", false, PARALLAX_REPLY_JUNK},
    {"{\"parameters\":{\"sequence\":1,\"timestamp_ns\":1,\"x\":0,\"y\":0,\"state\":\"a newer one\"}}", false, PARALLAX_REPLY_EVENT},
    {"{\"parameters\":[]}", false, PARALLAX_REPLY_JUNK},
    {"{}", false, PARALLAX_REPLY_JUNK},
    {"", false, PARALLAX_REPLY_JUNK},
    {"[]", false, PARALLAX_REPLY_JUNK},
    {"{\"error\":\"org.varlink.service.PermissionDenied\"}", false, PARALLAX_REPLY_ERROR},
    {"{\"error\":\"org.varlink.service.InvalidParameter\",\"parameters\":{\"parameter\":\"tilt\"}}", false, PARALLAX_REPLY_ERROR},
    {"{\"error\":\"org.parallaxd.Motion.TooManySubscribers\",\"parameters\":{\"limit\":1}}", false, PARALLAX_REPLY_ERROR},
    {"{\"error\":\"a\\nb\\u001b[31m\\u00e9\"}", false, PARALLAX_REPLY_ERROR},
    {"{\"error\":{}}", false, PARALLAX_REPLY_JUNK},
    {"{\"parameters\":{\"version\":1,\"size\":192,\"fileDescriptor\":0}}", true, PARALLAX_REPLY_PAGE},
    {"{\"parameters\":{\"version\":2,\"size\":192,\"fileDescriptor\":0}}", true, PARALLAX_REPLY_JUNK},
    {"{\"parameters\":{\"version\":1,\"size\":-1,\"fileDescriptor\":0}}", true, PARALLAX_REPLY_JUNK},
    {"{\"parameters\":{\"version\":1,\"size\":192}}", true, PARALLAX_REPLY_JUNK},
};
static const size_t example_count = sizeof examples / sizeof *examples;

static bool is_line(const char *text, size_t size) {
  const char *end = memchr(text, 0, size);
  if (!end) return false;
  for (; *text; text += 1)
    if (*text < ' ' || *text > '~') return false;
  return true;
}

// What holds of each reply, whatever the bytes were.
static bool holds(const struct parallax_reply *reply, bool page) {
  const struct parallax_event *event = &reply->event;
  if (!is_line(reply->text, sizeof reply->text)) return false;
  switch (reply->kind) {
    case PARALLAX_REPLY_EVENT:
      return !page && parallax_is_usable(event->x) && parallax_is_usable(event->y) && event->sequence >= -1 &&
             event->dropped >= 0 && parallax_is_usable(event->rate_x) && parallax_is_usable(event->tilt_y) &&
             (event->state <= PARALLAX_STATE_STALLED || event->state == PARALLAX_STATE_UNKNOWN);
    case PARALLAX_REPLY_PAGE:
      return page && reply->page_size >= 0 && reply->page_descriptor >= 0;
    case PARALLAX_REPLY_ERROR:
      return reply->error <= 0;
    default:
      return reply->text[0] != 0;
  }
}

// Nothing beyond the message may be read: it lies in a block of just its size.
static enum parallax_reply_kind read_copy(const char *bytes, size_t length, bool page) {
  char *copy = malloc(length + !length);
  if (!copy) exit(2);
  if (length) memcpy(copy, bytes, length);
  struct parallax_reply reply;
  parallax_read_reply(copy, length, page, &reply);
  free(copy);
  if (holds(&reply, page)) return reply.kind;
  printf("does not hold: kind %d, %.*s\n", reply.kind, (int)length, bytes);
  exit(1);
}

static void check_nesting(void) {
  static char message[2 * PARALLAX_LONGEST_MESSAGE + 1];
  for (int depth = 1; depth <= 40; depth += 1) {
    memset(message, '[', (size_t)depth);
    memset(message + depth, ']', (size_t)depth);
    read_copy(message, 2 * (size_t)depth, false);
  }
  memset(message, '[', sizeof message);
  read_copy(message, PARALLAX_LONGEST_MESSAGE, false);
  if (read_copy(message, sizeof message, false) != PARALLAX_REPLY_JUNK) exit(1);
}

static void mutate(void) {
  char bytes[2048];
  const struct example *example = &examples[next_random() % example_count];
  size_t length = strlen(example->text);
  memcpy(bytes, example->text, length);
  for (uint64_t times = next_random() % 8; times > 0 && length > 0; times -= 1) {
    size_t at = next_random() % length;
    const struct example *other = &examples[next_random() % example_count];
    size_t other_length = strlen(other->text);
    switch (next_random() % 5) {
      case 0: bytes[at] = (char)next_random(); break;
      case 1: bytes[at] = "{}[]\",:\\u0-1e9"[next_random() % 14]; break;
      case 2: length = at; break;
      case 3: memmove(bytes + at, bytes + at + 1, length - at - 1), length -= 1; break;
      default:
        if (at + other_length > sizeof bytes) break;
        memcpy(bytes + at, other->text, other_length);
        if (at + other_length > length) length = at + other_length;
    }
  }
  read_copy(bytes, length, next_random() % 4 == 0 ? !example->page : example->page);
}

int main(int count, char **words) {
  if (count != 3) return 2;
  random_state = strtoull(words[1], NULL, 10) | 1;
  for (size_t index = 0; index < example_count; index += 1) {
    const struct example *example = &examples[index];
    enum parallax_reply_kind kind = read_copy(example->text, strlen(example->text), example->page);
    if (kind == example->kind) continue;
    printf("kind %d instead of %d: %s\n", kind, example->kind, example->text);
    return 1;
  }
  check_nesting();
  for (unsigned long rounds = strtoul(words[2], NULL, 10); rounds > 0; rounds -= 1) mutate();
  // The wait between two attempts grows, and has an end.
  for (unsigned failures = 0; failures < 100; failures += 1) {
    int64_t delay = parallax_link_delay(failures), next = parallax_link_delay(failures + 1);
    if (delay >= 100000000 && delay <= 10000000000 && next >= delay) continue;
    printf("after %u failures %" PRId64 " ns\n", failures, delay);
    return 1;
  }
  return parallax_link_delay(100) == 10000000000 ? 0 : 1;
}
