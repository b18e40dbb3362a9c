/*
 * The shared page: where the content belongs, read from memory without a system call, at the display's own
 * refresh.
 *
 * A client calls org.parallaxd.Motion.OpenPage on the daemon's socket and gets a descriptor with the reply
 * (SCM_RIGHTS). It maps that read-only,
 *
 *     const void *page = mmap(NULL, PARALLAX_PAGE_SIZE, PROT_READ, MAP_SHARED, descriptor, 0);
 *
 * checks it once with parallax_page_check(), and at each frame:
 *
 *     struct parallax_frame frame;               // keeps the last frame that was read
 *     parallax_page_read(page, &frame);          // 0: nothing new could be read; go on with the last one
 *     parallax_extrapolate(&frame, presentation_time, &x, &y);
 *
 * The connection must stay open: it is what keeps the sensor on, and its end is how a client learns that
 * nobody writes the page any more. The descriptor may be closed once it is mapped. Two things are no
 * business of the page: an origin of one's own (subtract the first frame's x and y), and reconnecting.
 *
 * This header needs nothing but a compiler with GCC's __atomic builtins (gcc, clang): C11 or C++11. Nothing
 * in it allocates, locks, blocks or calls the system.
 *
 * LAYOUT, version 1. Byte order and alignment are the machine's. All offsets in bytes.
 *
 *       0  char magic[8]            "parallax", without a NUL
 *       8  uint32_t version         1
 *      12  uint32_t size            192: what is to be mapped
 *      16  zeros
 *      64  uint64_t lock            odd while the record is being written, 0 before the first
 *      72  int64_t  sequence        index of the last update, -1 before the first
 *      80  int64_t  timestamp_ns    of that update's sample, in the sensor's clock (status: sensor.clock)
 *      88  int64_t  published_monotonic_ns   when this record was written, CLOCK_MONOTONIC
 *      96  double   x, y            points from neutral; x to the right, y up
 *     112  double   velocity_x, velocity_y   points per second
 *     128  double   rate_x, rate_y, rate_z   rad/s, where flags say has_rate
 *     152  double   tilt_x, tilt_y  where flags say has_tilt
 *     168  uint64_t flags           see PARALLAX_FLAG_...
 *     176  zeros
 *
 * The record (from 64) is written once for each event of the daemon, by one writer, as a sequence lock: the
 * lock is made odd, the words are written, the lock is made even. A reader that finds it odd, or not as
 * before when it has read the words, tries again, a bounded number of times: a writer may have been stopped,
 * or killed, in the midst of a record. Words are stored with release and loaded with acquire order: a reader
 * that has seen any word of a newer record sees the lock odd or later.
 */
#ifndef PARALLAX_PAGE_H
#define PARALLAX_PAGE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The layout that this header reads and writes. */
#define PARALLAX_PAGE_VERSION 1u
/** Bytes to be mapped. */
#define PARALLAX_PAGE_SIZE 192u
/** How often a reader tries to get a whole record before it gives up, for this frame. */
#define PARALLAX_PAGE_ATTEMPTS 100
/** How far ahead of the last record parallax_extrapolate() goes, nanoseconds. */
#define PARALLAX_HORIZON_NS INT64_C(50000000)
/** Numbers beyond this, in points or points per second, are nobody's motion and never come out. */
#define PARALLAX_LARGEST 1e15

/** Updates come: x and y follow the device. Without it nothing moves, and velocity is 0. */
#define PARALLAX_FLAG_RUNNING (UINT64_C(1) << 0)
/** Reduced motion is on: x, y and velocity are scaled by what is left of it, usually 0. */
#define PARALLAX_FLAG_REDUCED_MOTION (UINT64_C(1) << 1)
/** rate_x, rate_y and rate_z are there: the page is one with rates, and the sensor runs. */
#define PARALLAX_FLAG_HAS_RATE (UINT64_C(1) << 2)
/** tilt_x and tilt_y are there. */
#define PARALLAX_FLAG_HAS_TILT (UINT64_C(1) << 3)

/** What the daemon is doing: bits 8 to 15 of the flags. Tokens by parallax_state_token(). */
enum parallax_state {
  PARALLAX_STATE_IDLE = 0,     /**< nobody looks; the sensor is off */
  PARALLAX_STATE_STARTING = 1, /**< the sensor is being switched on */
  PARALLAX_STATE_RUNNING = 2,
  PARALLAX_STATE_REDUCED = 3, /**< reduced motion; the sensor is off */
  PARALLAX_STATE_WAITING = 4, /**< for a sensor that can be used */
  PARALLAX_STATE_STALLED = 5  /**< the sensor says nothing */
};

/** Why: bits 16 to 23 of the flags. Tokens by parallax_reason_token(). */
enum parallax_reason {
  PARALLAX_REASON_NONE = 0,
  PARALLAX_REASON_NO_DEVICE = 1,
  PARALLAX_REASON_PERMISSION = 2,
  PARALLAX_REASON_BUSY = 3,
  PARALLAX_REASON_NO_DATA = 4,
  PARALLAX_REASON_SUSPENDED = 5,
  PARALLAX_REASON_REPLAY_ENDED = 6,
  PARALLAX_REASON_CONFIGURATION = 7,
  PARALLAX_REASON_USER = 8
};

/** One record, as it was written. */
struct parallax_frame {
  /** Index of the last update in it; -1 before the first. */
  int64_t sequence;
  /** Of that update's sample, nanoseconds in the sensor's clock; 0 before the first. */
  int64_t timestamp_ns;
  /** When the record was written, CLOCK_MONOTONIC nanoseconds. */
  int64_t published_monotonic_ns;
  /** Points from neutral: x to the right, y up. */
  double x, y;
  /**
   * Points per second: by how much the last update (or those that were due together) moved x and y, divided
   * by the sample time since the update before. 0 where nothing moved, after a gap, where the content was
   * moved by hand (Pan, Recenter), and where the daemon is not running.
   */
  double velocity_x, velocity_y;
  /** rad/s in the picture's frame; 0 without PARALLAX_FLAG_HAS_RATE. */
  double rate_x, rate_y, rate_z;
  /** -1 to 1; 0 without PARALLAX_FLAG_HAS_TILT. */
  double tilt_x, tilt_y;
  /** PARALLAX_FLAG_..., state and reason. */
  uint64_t flags;
};

/* Where the words of the record are, in words of 8 bytes from the start of the page. */
enum {
  PARALLAX_WORD_LOCK = 8,
  PARALLAX_WORD_SEQUENCE,
  PARALLAX_WORD_TIMESTAMP,
  PARALLAX_WORD_PUBLISHED,
  PARALLAX_WORD_X,
  PARALLAX_WORD_Y,
  PARALLAX_WORD_VELOCITY_X,
  PARALLAX_WORD_VELOCITY_Y,
  PARALLAX_WORD_RATE_X,
  PARALLAX_WORD_RATE_Y,
  PARALLAX_WORD_RATE_Z,
  PARALLAX_WORD_TILT_X,
  PARALLAX_WORD_TILT_Y,
  PARALLAX_WORD_FLAGS,
  PARALLAX_WORD_END
};

/** The state in a frame's flags; one that this header does not know is returned as it is. */
static inline unsigned parallax_frame_state(const struct parallax_frame *frame) {
  return (unsigned)(frame->flags >> 8) & 0xffu;
}

/** The reason in a frame's flags. */
static inline unsigned parallax_frame_reason(const struct parallax_frame *frame) {
  return (unsigned)(frame->flags >> 16) & 0xffu;
}

/** The state as events on the socket name it: "running"; "unknown" for one of a newer daemon. */
static inline const char *parallax_state_token(unsigned state) {
  switch (state) {
    case PARALLAX_STATE_IDLE: return "idle";
    case PARALLAX_STATE_STARTING: return "starting";
    case PARALLAX_STATE_RUNNING: return "running";
    case PARALLAX_STATE_REDUCED: return "reduced";
    case PARALLAX_STATE_WAITING: return "waiting";
    case PARALLAX_STATE_STALLED: return "stalled";
    default: return "unknown";
  }
}

/** The reason as events on the socket name it: "no-device"; NULL for none, "unknown" for a newer one. */
static inline const char *parallax_reason_token(unsigned reason) {
  switch (reason) {
    case PARALLAX_REASON_NONE: return NULL;
    case PARALLAX_REASON_NO_DEVICE: return "no-device";
    case PARALLAX_REASON_PERMISSION: return "permission";
    case PARALLAX_REASON_BUSY: return "busy";
    case PARALLAX_REASON_NO_DATA: return "no-data";
    case PARALLAX_REASON_SUSPENDED: return "suspended";
    case PARALLAX_REASON_REPLAY_ENDED: return "replay-ended";
    case PARALLAX_REASON_CONFIGURATION: return "configuration";
    case PARALLAX_REASON_USER: return "user";
    default: return "unknown";
  }
}

/* One word as an integer and as a double; memcpy is how C reads the bits of one as the other. */
static inline int64_t parallax_word_int64(uint64_t word) {
  int64_t value;
  memcpy(&value, &word, sizeof value);
  return value;
}

static inline double parallax_word_double(uint64_t word) {
  double value;
  memcpy(&value, &word, sizeof value);
  return value;
}

/* Whether a number can be drawn; false for NaN. */
static inline int parallax_is_usable(double value) {
  return value >= -PARALLAX_LARGEST && value <= PARALLAX_LARGEST;
}

/**
 * Whether `page`, of which `mapped` bytes are mapped, is one that this header can read: 1 or 0. Once, after
 * mapping: nothing of what it looks at changes.
 */
static inline int parallax_page_check(const void *page, size_t mapped) {
  uint32_t version, size;
  if (mapped < PARALLAX_PAGE_SIZE || memcmp(page, "parallax", 8) != 0) return 0;
  memcpy(&version, (const char *)page + 8, sizeof version);
  memcpy(&size, (const char *)page + 12, sizeof size);
  return version == PARALLAX_PAGE_VERSION && size >= PARALLAX_PAGE_SIZE;
}

/**
 * Reads the newest record of a mapped page that passed parallax_page_check().
 *
 * 1 where it could be read. 0, with `*frame` untouched, where there is none yet, where it was being written
 * at each of PARALLAX_PAGE_ATTEMPTS attempts (its writer was stopped or killed in the midst of it), or where
 * its numbers are none that could be drawn: the caller then goes on with the frame it has.
 */
static inline int parallax_page_read(const void *page, struct parallax_frame *frame) {
  const uint64_t *words = (const uint64_t *)page;
  uint64_t copy[PARALLAX_WORD_END];
  struct parallax_frame read;
  uint64_t lock = 1;
  int attempt, word;
  for (attempt = 0; attempt < PARALLAX_PAGE_ATTEMPTS; attempt += 1) {
    lock = __atomic_load_n(&words[PARALLAX_WORD_LOCK], __ATOMIC_ACQUIRE);
    if (lock == 0) return 0;
    if (lock & 1) continue;
    for (word = PARALLAX_WORD_SEQUENCE; word < PARALLAX_WORD_END; word += 1)
      copy[word] = __atomic_load_n(&words[word], __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&words[PARALLAX_WORD_LOCK], __ATOMIC_RELAXED) == lock) break;
    lock = 1;
  }
  if (lock & 1) return 0;
  read.sequence = parallax_word_int64(copy[PARALLAX_WORD_SEQUENCE]);
  read.timestamp_ns = parallax_word_int64(copy[PARALLAX_WORD_TIMESTAMP]);
  read.published_monotonic_ns = parallax_word_int64(copy[PARALLAX_WORD_PUBLISHED]);
  read.x = parallax_word_double(copy[PARALLAX_WORD_X]);
  read.y = parallax_word_double(copy[PARALLAX_WORD_Y]);
  read.velocity_x = parallax_word_double(copy[PARALLAX_WORD_VELOCITY_X]);
  read.velocity_y = parallax_word_double(copy[PARALLAX_WORD_VELOCITY_Y]);
  read.rate_x = parallax_word_double(copy[PARALLAX_WORD_RATE_X]);
  read.rate_y = parallax_word_double(copy[PARALLAX_WORD_RATE_Y]);
  read.rate_z = parallax_word_double(copy[PARALLAX_WORD_RATE_Z]);
  read.tilt_x = parallax_word_double(copy[PARALLAX_WORD_TILT_X]);
  read.tilt_y = parallax_word_double(copy[PARALLAX_WORD_TILT_Y]);
  read.flags = copy[PARALLAX_WORD_FLAGS];
  if (!parallax_is_usable(read.x) || !parallax_is_usable(read.y) || !parallax_is_usable(read.velocity_x) ||
      !parallax_is_usable(read.velocity_y) || !parallax_is_usable(read.rate_x) ||
      !parallax_is_usable(read.rate_y) || !parallax_is_usable(read.rate_z) ||
      !parallax_is_usable(read.tilt_x) || !parallax_is_usable(read.tilt_y))
    return 0;
  *frame = read;
  return 1;
}

/**
 * Where the content belongs at `at_monotonic_ns` (CLOCK_MONOTONIC nanoseconds: when the frame will be seen),
 * in points, if it goes on moving as it did: x + velocity_x * t. t is the time since the record was written,
 * from 0 to PARALLAX_HORIZON_NS: what nobody has written for longer is not guessed at. Just x and y where the
 * daemon is not running.
 */
static inline void parallax_extrapolate(const struct parallax_frame *frame, int64_t at_monotonic_ns, double *x,
                                        double *y) {
  int64_t ahead = 0;
  double seconds, ahead_x, ahead_y;
  *x = parallax_is_usable(frame->x) ? frame->x : 0;
  *y = parallax_is_usable(frame->y) ? frame->y : 0;
  if (!(frame->flags & PARALLAX_FLAG_RUNNING) || at_monotonic_ns <= frame->published_monotonic_ns) return;
  /* Unsigned: the difference of two times of a broken frame may not fit. */
  if ((uint64_t)at_monotonic_ns - (uint64_t)frame->published_monotonic_ns < (uint64_t)PARALLAX_HORIZON_NS)
    ahead = at_monotonic_ns - frame->published_monotonic_ns;
  else
    ahead = PARALLAX_HORIZON_NS;
  seconds = (double)ahead / 1e9;
  ahead_x = *x + frame->velocity_x * seconds;
  ahead_y = *y + frame->velocity_y * seconds;
  if (parallax_is_usable(ahead_x)) *x = ahead_x;
  if (parallax_is_usable(ahead_y)) *y = ahead_y;
}

#ifdef __cplusplus
}
#endif

#endif
