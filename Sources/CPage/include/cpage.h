// The shared page for Swift: the header that clients read it with, and the other half, which only the daemon
// needs. The layout and the order of stores and loads exist here and in that header, nowhere else.
#ifndef PARALLAXD_CPAGE_H
#define PARALLAXD_CPAGE_H

#include "../../../include/parallax_page.h"

/// Writes what never changes of a page: magic, version and size. `page` is PARALLAX_PAGE_SIZE bytes of zeros,
/// or a page already.
static inline void cpage_prepare(void *page) {
  uint32_t version = PARALLAX_PAGE_VERSION;
  uint32_t size = PARALLAX_PAGE_SIZE;
  memcpy(page, "parallax", 8);
  memcpy((char *)page + 8, &version, sizeof version);
  memcpy((char *)page + 12, &size, sizeof size);
}

/// Stores one word of the record: whoever loads it (with acquire order) sees what was stored before it.
static inline void cpage_store(void *page, int word, const void *value) {
  uint64_t bits;
  memcpy(&bits, value, sizeof bits);
  __atomic_store_n((uint64_t *)page + word, bits, __ATOMIC_RELEASE);
}

/// Begins a record: the lock becomes odd, and other than it was, also where a writer that was killed has left
/// it odd. There is one writer of a page at a time.
static inline void cpage_begin_write(void *page) {
  uint64_t *lock = (uint64_t *)page + PARALLAX_WORD_LOCK;
  __atomic_store_n(lock, (__atomic_load_n(lock, __ATOMIC_RELAXED) + 1) | 1, __ATOMIC_RELAXED);
}

/// Ends a record: readers may have it.
static inline void cpage_end_write(void *page) {
  uint64_t *lock = (uint64_t *)page + PARALLAX_WORD_LOCK;
  __atomic_store_n(lock, __atomic_load_n(lock, __ATOMIC_RELAXED) + 1, __ATOMIC_RELEASE);
}

/// Whether a writer was killed in the midst of the record.
static inline int cpage_is_torn(const void *page) {
  return (int)(__atomic_load_n((const uint64_t *)page + PARALLAX_WORD_LOCK, __ATOMIC_RELAXED) & 1);
}

/// Stores all words of a record, between the begin and the end.
static inline void cpage_store_frame(void *page, const struct parallax_frame *frame) {
  cpage_store(page, PARALLAX_WORD_SEQUENCE, &frame->sequence);
  cpage_store(page, PARALLAX_WORD_TIMESTAMP, &frame->timestamp_ns);
  cpage_store(page, PARALLAX_WORD_PUBLISHED, &frame->published_monotonic_ns);
  cpage_store(page, PARALLAX_WORD_X, &frame->x);
  cpage_store(page, PARALLAX_WORD_Y, &frame->y);
  cpage_store(page, PARALLAX_WORD_VELOCITY_X, &frame->velocity_x);
  cpage_store(page, PARALLAX_WORD_VELOCITY_Y, &frame->velocity_y);
  cpage_store(page, PARALLAX_WORD_RATE_X, &frame->rate_x);
  cpage_store(page, PARALLAX_WORD_RATE_Y, &frame->rate_y);
  cpage_store(page, PARALLAX_WORD_RATE_Z, &frame->rate_z);
  cpage_store(page, PARALLAX_WORD_TILT_X, &frame->tilt_x);
  cpage_store(page, PARALLAX_WORD_TILT_Y, &frame->tilt_y);
  cpage_store(page, PARALLAX_WORD_FLAGS, &frame->flags);
}

/// Writes a whole record. Also mends one that a writer which was killed has left half written.
static inline void cpage_write(void *page, const struct parallax_frame *frame) {
  cpage_begin_write(page);
  cpage_store_frame(page, frame);
  cpage_end_write(page);
}

#endif
