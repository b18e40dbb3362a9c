// Counts a process's allocations from outside, to show that a steady state makes none.
//
//   cc -O2 -shared -fPIC -o malloc_count.so malloc_count.c
//   MALLOC_COUNT_FILE=/tmp/count LD_PRELOAD=./malloc_count.so program
//
// The file is mapped and shared: four native 64-bit counters, calls since the process began, that another
// process may read at any moment: malloc, calloc, realloc (reallocarray too), and the aligned ones. Children
// that inherit the environment count into the same file.
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MALLOC, CALLOC, REALLOC, ALIGNED, COUNTERS };

typedef _Atomic uint64_t counter;

// glibc's own names: no dlsym, which itself allocates.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// What is counted before the file is mapped: other libraries' constructors may run first.
static counter early[COUNTERS];
static counter *_Atomic counters = early;

static void count(int which) {
  counter *now = atomic_load_explicit(&counters, memory_order_acquire);
  atomic_fetch_add_explicit(&now[which], 1, memory_order_relaxed);
}

__attribute__((constructor)) static void map_the_file(void) {
  const char *path = getenv("MALLOC_COUNT_FILE");
  if (path == NULL) return;
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || ftruncate(fd, sizeof early) != 0) {
    perror("malloc_count: MALLOC_COUNT_FILE");
    _exit(127);
  }
  counter *shared = mmap(NULL, sizeof early, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (shared == MAP_FAILED) {
    perror("malloc_count: mmap");
    _exit(127);
  }
  close(fd);
  for (int which = 0; which < COUNTERS; which++) {
    atomic_fetch_add(&shared[which], atomic_load(&early[which]));
  }
  atomic_store_explicit(&counters, shared, memory_order_release);
}

void *malloc(size_t size) {
  count(MALLOC);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(CALLOC);
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count(REALLOC);
  return __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t number, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(number, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(old, bytes);
}

void *memalign(size_t alignment, size_t size) {
  count(ALIGNED);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

void *valloc(size_t size) { return memalign((size_t)sysconf(_SC_PAGESIZE), size); }

int posix_memalign(void **out, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *memory = memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *out = memory;
  return 0;
}
