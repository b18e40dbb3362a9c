// The header as C and as C++: it is compiled as both, and what needs no page is asked here.
#include "../../include/parallax_page.h"
#include <stdio.h>

static int failures = 0;

static void expect(int holds, const char *what) {
  if (holds) return;
  printf("%s\n", what);
  failures += 1;
}

// A record as a writer would leave it, with a given lock.
static void fill(uint64_t *words, uint64_t lock, double x) {
  uint32_t numbers[2] = {1, 192};
  double y = 0 - x;
  uint64_t flags = PARALLAX_FLAG_RUNNING | (2u << 8);
  memset(words, 0, PARALLAX_PAGE_SIZE);
  memcpy(words, "parallax", 8);
  memcpy(words + 1, numbers, 8);
  words[PARALLAX_WORD_LOCK] = lock;
  words[PARALLAX_WORD_SEQUENCE] = 7;
  words[PARALLAX_WORD_PUBLISHED] = 1000000000;
  memcpy(words + PARALLAX_WORD_X, &x, 8);
  memcpy(words + PARALLAX_WORD_Y, &y, 8);
  words[PARALLAX_WORD_FLAGS] = flags;
}

static void test_reading(void) {
  uint64_t words[PARALLAX_PAGE_SIZE / 8];
  struct parallax_frame frame;
  double zero = 0;
  memset(&frame, 0, sizeof frame);
  fill(words, 2, 3.5);
  expect(parallax_page_check(words, sizeof words), "a page");
  expect(!parallax_page_check(words, sizeof words - 1), "too little of it is mapped");
  expect(parallax_page_read(words, &frame), "a whole record");
  expect(frame.sequence == 7 && frame.x == 3.5 && frame.y == -3.5, "its numbers");
  expect(parallax_frame_state(&frame) == PARALLAX_STATE_RUNNING, "its state");
  fill(words, 0, 1);
  expect(!parallax_page_read(words, &frame), "no record yet");
  fill(words, 3, 1);
  expect(!parallax_page_read(words, &frame), "a record whose writer has gone");
  fill(words, 4, 1 / zero);
  expect(!parallax_page_read(words, &frame), "infinite");
  fill(words, 4, zero / zero);
  expect(!parallax_page_read(words, &frame), "not a number");
  fill(words, 4, 1e16);
  expect(!parallax_page_read(words, &frame), "absurd");
  expect(frame.x == 3.5, "a frame that could not be read leaves the last one");
  words[1] += 1;
  expect(!parallax_page_check(words, sizeof words), "another version");
  words[0] += 1;
  expect(!parallax_page_check(words, sizeof words), "not a page");
}

static void expect_at(struct parallax_frame frame, int64_t at, double x, double y, const char *what) {
  double got_x = -1, got_y = -1;
  parallax_extrapolate(&frame, at, &got_x, &got_y);
  expect(got_x == x && got_y == y, what);
}

static void test_extrapolation(void) {
  struct parallax_frame frame;
  double zero = 0;
  memset(&frame, 0, sizeof frame);
  frame.published_monotonic_ns = 1000000000;
  frame.x = 10;
  frame.y = 20;
  frame.velocity_x = 100;
  frame.velocity_y = -200;
  expect_at(frame, 1025000000, 10, 20, "nothing where it does not run");
  frame.flags = PARALLAX_FLAG_RUNNING;
  expect_at(frame, 1000000000, 10, 20, "at the record's own time");
  expect_at(frame, 1025000000, 12.5, 15, "linear");
  expect_at(frame, 1050000000, 15, 10, "at the horizon");
  expect_at(frame, INT64_MAX, 15, 10, "and not beyond");
  expect_at(frame, INT64_MIN, 10, 20, "never back");
  frame.published_monotonic_ns = INT64_MIN;
  expect_at(frame, INT64_MAX, 15, 10, "times whose difference does not fit");
  frame.velocity_x = 1e300;
  expect_at(frame, INT64_MAX, 10, 10, "an absurd velocity");
  frame.velocity_x = zero / zero;
  expect_at(frame, INT64_MAX, 10, 10, "a velocity that is no number");
  frame.x = zero / zero;
  frame.y = 1 / zero;
  frame.velocity_y = zero / zero;
  expect_at(frame, INT64_MAX, 0, 0, "no numbers at all");
}

int main(void) {
  unsigned state, reason;
  test_reading();
  test_extrapolation();
  // The tokens in their order, for the test to compare with the interface's.
  for (state = 0; state <= PARALLAX_STATE_STALLED; state += 1) printf("%s ", parallax_state_token(state));
  for (reason = 1; reason <= PARALLAX_REASON_USER; reason += 1) printf("%s ", parallax_reason_token(reason));
  printf("\n");
  expect(parallax_reason_token(0) == NULL, "no reason");
  expect(strcmp(parallax_state_token(99), "unknown") == 0, "a state of a newer daemon");
  expect(strcmp(parallax_reason_token(99), "unknown") == 0, "a reason of a newer daemon");
  return failures;
}
