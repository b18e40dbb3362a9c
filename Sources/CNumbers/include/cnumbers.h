// Numbers as text, by the C++17 charconv functions of libstdc++: correctly rounded, independent of the
// locale, without allocation. strtod takes five times as long for a trace of two million rows.
#ifndef PARALLAXD_CNUMBERS_H
#define PARALLAXD_CNUMBERS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Enough for whatever the two format functions write; they end nothing in NUL.
enum { CNUMBERS_CAPACITY = 24 };

/// Reads a decimal number, `-1.5e-3`, at the start of [begin, end), as std::from_chars does; short ones take a
/// quicker way to the same result.
///
/// No leading blanks and no `+`; a decimal point, never a comma. `inf` and `nan` are read: who wants finite
/// numbers checks. Answers the number of bytes read, so a whole field is one where this is `end − begin`;
/// 0 where there is no number or it is outside the range of a double, and then `*value` is untouched.
size_t cnumbers_parse_double(const char *begin, const char *end, double *value);

/// Reads up to 19 decimal digits at the start of [begin, end), which 64 bits hold. Answers the number of
/// bytes read; 0 where there is no digit or a twentieth, and then `*value` is untouched.
size_t cnumbers_parse_digits(const char *begin, const char *end, uint64_t *value);

/// Writes the shortest decimal text that reads back to the same finite double (std::to_chars): `0.1`,
/// `1e+22`, `-0`; it is valid JSON. Answers the number of bytes written; 0 where `capacity` is too small or
/// the value is not finite.
size_t cnumbers_format_double(double value, char *out, size_t capacity);

/// Writes an integer in decimal. Answers the number of bytes written; 0 where `capacity` is too small.
size_t cnumbers_format_int64(int64_t value, char *out, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
