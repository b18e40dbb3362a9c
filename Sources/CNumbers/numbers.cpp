#include "cnumbers.h"

#include <charconv>
#include <cmath>
#include <system_error>

size_t cnumbers_parse_double(const char *begin, const char *end, double *value) {
  const std::from_chars_result result = std::from_chars(begin, end, *value);
  return result.ec == std::errc() ? static_cast<size_t>(result.ptr - begin) : 0;
}

size_t cnumbers_format_double(double value, char *out, size_t capacity) {
  if (!std::isfinite(value)) return 0;
  const std::to_chars_result result = std::to_chars(out, out + capacity, value);
  return result.ec == std::errc() ? static_cast<size_t>(result.ptr - out) : 0;
}

size_t cnumbers_format_int64(int64_t value, char *out, size_t capacity) {
  const std::to_chars_result result = std::to_chars(out, out + capacity, value);
  return result.ec == std::errc() ? static_cast<size_t>(result.ptr - out) : 0;
}
