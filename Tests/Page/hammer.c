// Readers of a page against its writer, in processes of their own.
//
//   hammer torn READERS READS      a writer that never stops; no record may be torn
//   hammer killed READERS KILLS    writers killed at any moment: readers come back, the next writer mends
//   hammer follow DESCRIPTOR       a daemon's page, until standard input ends: x = y = 2.5 * (sequence + 1)
//
// Compiled with -DBROKEN the writer does not lock: what the readers then see shows that they look.
#define _GNU_SOURCE
#include "../../Sources/CPage/include/cpage.h"
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { most_readers = 16 };

/// What the processes share beside the page.
struct board {
  uint64_t page[PARALLAX_PAGE_SIZE / 8];
  /// Calls of each reader that have returned, records it has read, and torn ones among them.
  uint64_t calls[most_readers], records[most_readers], torn[most_readers];
  int stop;
};

static struct board *board;

static double number(int64_t sequence, int word) { return (double)(sequence * 16 + word); }

/// A record whose every word follows from its sequence.
static struct parallax_frame pattern(int64_t sequence) {
  struct parallax_frame frame;
  frame.sequence = sequence;
  frame.timestamp_ns = sequence * 3;
  frame.published_monotonic_ns = sequence * 5;
  frame.x = number(sequence, 0);
  frame.y = number(sequence, 1);
  frame.velocity_x = number(sequence, 2);
  frame.velocity_y = number(sequence, 3);
  frame.rate_x = number(sequence, 4);
  frame.rate_y = number(sequence, 5);
  frame.rate_z = number(sequence, 6);
  frame.tilt_x = number(sequence, 7);
  frame.tilt_y = number(sequence, 8);
  frame.flags = (uint64_t)sequence * 7;
  return frame;
}

/// Whether all words belong to one record; bytewise, since there is no padding between 8-byte words.
static int is_whole(const struct parallax_frame *frame) {
  struct parallax_frame wanted = pattern(frame->sequence);
  return memcmp(frame, &wanted, sizeof wanted) == 0;
}

static void write_record(void *page, const struct parallax_frame *frame) {
#ifdef BROKEN
  cpage_store_frame(page, frame);
#else
  cpage_write(page, frame);
#endif
}

/// Writes from `sequence` on, for ever.
static void write_all(int64_t sequence) {
  for (;; sequence += 1) {
    struct parallax_frame frame = pattern(sequence);
    write_record(board->page, &frame);
  }
}

/// Reads until `calls` have returned, or until told to stop.
static void read_all(int reader, uint64_t calls) {
  struct parallax_frame frame;
  for (uint64_t call = 0; call < calls && !__atomic_load_n(&board->stop, __ATOMIC_RELAXED); call += 1) {
    if (parallax_page_read(board->page, &frame)) {
      board->records[reader] += 1;
      if (!is_whole(&frame)) board->torn[reader] += 1;
    }
    __atomic_store_n(&board->calls[reader], call + 1, __ATOMIC_RELAXED);
  }
}

static pid_t start_writer(int64_t sequence) {
  pid_t writer = fork();
  if (writer == 0) write_all(sequence);
  return writer;
}

static void start_readers(int readers, uint64_t calls) {
  for (int reader = 0; reader < readers; reader += 1) {
    if (fork() != 0) continue;
    read_all(reader, calls);
    _exit(0);
  }
}

static void wait_for_readers(int readers) {
  for (int reader = 0; reader < readers; reader += 1) wait(NULL);
}

static int report(int readers, int kills, int odd) {
  uint64_t calls = 0, records = 0, torn = 0;
  for (int reader = 0; reader < readers; reader += 1) {
    calls += board->calls[reader];
    records += board->records[reader];
    torn += board->torn[reader];
  }
  printf("calls %llu records %llu torn %llu kills %d odd %d\n", (unsigned long long)calls,
         (unsigned long long)records, (unsigned long long)torn, kills, odd);
  return torn != 0;
}

static int hammer_torn(int readers, uint64_t reads) {
  pid_t writer = start_writer(1);
  start_readers(readers, reads);
  // The writer is not among those waited for: it never ends.
  for (int reader = 0; reader < readers;) {
    if (waitpid(-1, NULL, 0) != writer) reader += 1;
  }
  kill(writer, SIGKILL);
  waitpid(writer, NULL, 0);
  return report(readers, 0, 0);
}

/// Waits, not for ever, until each reader has come back from ten more calls.
static void await_calls(int readers) {
  uint64_t before[most_readers];
  for (int reader = 0; reader < readers; reader += 1)
    before[reader] = __atomic_load_n(&board->calls[reader], __ATOMIC_RELAXED);
  for (int reader = 0, looks = 0; reader < readers;) {
    if (__atomic_load_n(&board->calls[reader], __ATOMIC_RELAXED) >= before[reader] + 10) {
      reader += 1;
    } else {
      if ((looks += 1) > 60000) {
        printf("reader %d hangs\n", reader);
        fflush(stdout);
        abort();
      }
      usleep(1000);
    }
  }
}

static int hammer_killed(int readers, int kills) {
  int odd = 0;
  int64_t sequence = 1;
  struct parallax_frame frame;
  start_readers(readers, UINT64_MAX);
  for (int count = 0; count < kills; count += 1) {
    pid_t writer = start_writer(sequence);
    usleep((useconds_t)(200 + rand() % 1500));
    kill(writer, SIGKILL);
    waitpid(writer, NULL, 0);
    if (cpage_is_torn(board->page)) {
      odd += 1;
      // Nobody mends it: who reads now comes back with nothing.
      if (parallax_page_read(board->page, &frame)) abort();
      await_calls(readers);
    }
    // Taken up: whole again, and readable at once.
    sequence = parallax_word_int64(board->page[PARALLAX_WORD_SEQUENCE]) + 1;
    struct parallax_frame next = pattern(sequence);
    cpage_write(board->page, &next);
    if (!parallax_page_read(board->page, &frame) || !is_whole(&frame) || frame.sequence != sequence) abort();
    sequence += 1;
  }
  __atomic_store_n(&board->stop, 1, __ATOMIC_RELAXED);
  wait_for_readers(readers);
  return report(readers, kills, odd);
}

/// Whether standard input has ended.
static int is_over(void) {
  struct pollfd input = {.fd = 0, .events = POLLIN};
  return poll(&input, 1, 0) > 0;
}

static int follow(int descriptor) {
  const void *page = mmap(NULL, PARALLAX_PAGE_SIZE, PROT_READ, MAP_SHARED, descriptor, 0);
  struct parallax_frame frame;
  unsigned long long records = 0, torn = 0, different = 0;
  int64_t last = -2;
  if (page == MAP_FAILED || !parallax_page_check(page, PARALLAX_PAGE_SIZE)) return 2;
  printf("mapped\n");
  fflush(stdout);
  do {
    for (int call = 0; call < 10000; call += 1) {
      if (!parallax_page_read(page, &frame)) continue;
      records += 1;
      different += frame.sequence != last;
      last = frame.sequence;
      double wanted = 2.5 * (double)(frame.sequence + 1);
      if (frame.x != wanted || frame.y != wanted) torn += 1;
    }
  } while (!is_over());
  printf("records %llu different %llu torn %llu last %lld\n", records, different, torn, (long long)last);
  return torn != 0;
}

int main(int count, char **words) {
  board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (count < 3 || board == MAP_FAILED) return 2;
  struct parallax_frame first = pattern(0);
  cpage_prepare(board->page);
  cpage_write(board->page, &first);
  if (strcmp(words[1], "follow") == 0) return follow(atoi(words[2]));
  int readers = atoi(words[2]);
  if (count < 4 || readers < 1 || readers > most_readers) return 2;
  if (strcmp(words[1], "torn") == 0) return hammer_torn(readers, strtoull(words[3], NULL, 10));
  if (strcmp(words[1], "killed") == 0) return hammer_killed(readers, atoi(words[3]));
  return 2;
}
