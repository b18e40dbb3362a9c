#include <iio.h>
#include <stdio.h>

// libiio and libxml2 print to C's stderr what they also return, a warning at every opened buffer among it.
// These two send that stream to nowhere for a while; descriptor 2 itself is left alone. Swift does not let
// the variable through.

/// A stream that swallows everything, or NULL.
static inline FILE *ciio_open_nowhere(void) { return fopen("/dev/null", "we"); }

/// Replaces the stream; the one before. NULL changes nothing.
static inline FILE *ciio_replace_messages(FILE *stream) {
  FILE *before = stderr;
  if (stream) stderr = stream;
  return before;
}
