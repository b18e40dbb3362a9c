// A small C face over toml++: the bytes of a TOML document become a flat list of entries. It knows nothing
// of settings, opens no file, keeps no state, throws nothing, and does not depend on the locale.
#ifndef PARALLAXD_CTOML_H
#define PARALLAXD_CTOML_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /// Longest document, bytes.
  CTOML_MAX_BYTES = 65536,
  /// Longest line, bytes: a dotted key is as deep as a line is long, and a tree is freed by recursion.
  CTOML_MAX_LINE = 1024,
};

typedef enum ctoml_kind {
  /// `[name]`: no value.
  CTOML_TABLE,
  CTOML_STRING,
  CTOML_INTEGER,
  CTOML_FLOAT,
  CTOML_BOOLEAN,
  /// An array whose elements are all numbers; also the empty array.
  CTOML_NUMBERS,
  /// What no setting is: dates, times, other arrays. No value.
  CTOML_OTHER,
} ctoml_kind;

/// One key and its value. Pointers live as long as the document.
typedef struct ctoml_entry {
  /// `section.key`; a part that is no bare key is written in quotes. UTF-8, not ended by NUL.
  const char *key;
  size_t key_length;
  ctoml_kind kind;
  /// Of CTOML_STRING: UTF-8, may hold NUL.
  const char *text;
  size_t text_length;
  int64_t integer;
  double number;
  int boolean;
  /// Of CTOML_NUMBERS.
  const double *numbers;
  size_t number_count;
  /// Where the last part of the key stands, and the value; from 1, columns in characters. 0: unknown.
  uint32_t key_line, key_column;
  uint32_t value_line, value_column;
} ctoml_entry;

/// Why and where a document cannot be read.
typedef struct ctoml_error {
  char message[256];
  /// From 1; 0: unknown.
  uint32_t line, column;
} ctoml_error;

typedef struct ctoml_document ctoml_document;

/// Reads a document; the caller frees it. NULL: `*error` says why.
///
/// With `arrays` an array of other things than numbers (still CTOML_OTHER) is followed by its elements, as entries of
/// the keys `name[0]`, `name[1]` …
ctoml_document *ctoml_parse(const char *bytes, size_t length, int arrays, ctoml_error *error);

size_t ctoml_count(const ctoml_document *document);

/// The entry at `index` below the count, in the order of the document.
const ctoml_entry *ctoml_entry_at(const ctoml_document *document, size_t index);

void ctoml_free(ctoml_document *document);

#ifdef __cplusplus
}
#endif

#endif
