#include "cnumbers.h"

#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstring>
#include <system_error>

namespace {

// The quick ways load eight bytes at a time and look at a number's first 32 bytes without asking how many
// there are; near the end of the text, and on machines of the other byte order, the slow ones do.
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
constexpr ptrdiff_t quick_bytes = 32;
#else
constexpr ptrdiff_t quick_bytes = PTRDIFF_MAX;
#endif

constexpr uint64_t repeated(uint64_t byte) { return byte * 0x0101010101010101; }

/// 10^0 … 10^8.
constexpr uint64_t whole_powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

/// Powers of ten; a double holds each exactly, up to 10^22.
constexpr double exact_powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

constexpr uint64_t exact_mantissa = uint64_t(1) << 53;

inline uint64_t digit(char c) { return static_cast<unsigned char>(c - '0'); }

inline bool is_digit(char c) { return digit(c) < 10; }

/// Appends the digits that the eight bytes at `at` begin with to `value`; how many they are.
inline int append_digits(const char *at, uint64_t &value) {
  uint64_t chunk;
  std::memcpy(&chunk, at, 8);
  uint64_t digits = chunk - repeated('0');
  // The highest bit of the first byte that is no digit; what is above it does not matter.
  const uint64_t others = (digits | (chunk + repeated(0x7f - '9'))) & repeated(0x80);
  if (others & 0x80) return 0;
  const int count = others ? __builtin_ctzll(others) / 8 : 8;
  // Zeros before the digits; then pairs, fours and eight are put together.
  digits <<= 64 - 8 * count;
  digits = digits * 10 + (digits >> 8);
  digits = ((digits & 0x000000ff000000ff) * (100 + (uint64_t(1000000) << 32)) +
            ((digits >> 16) & 0x000000ff000000ff) * (1 + (uint64_t(10000) << 32))) >>
           32;
  value = value * whole_powers[count] + static_cast<uint32_t>(digits);
  return count;
}

/// Reads `-12.5` where the digits and the power of ten are exact doubles: then one division is correctly
/// rounded (Clinger 1990). 0 where it is not so simple.
inline size_t parse_simple(const char *begin, const char *end, double *value) {
  // Wider registers would round twice.
  if (FLT_EVAL_METHOD != 0 || end - begin < quick_bytes) return 0;
  const size_t negative = *begin == '-';
  const char *at = begin + negative;
  if (!is_digit(*at)) return 0;
  uint64_t mantissa = digit(*at++);
  while (is_digit(*at)) {
    mantissa = mantissa * 10 + digit(*at++);
    if (at - begin > 10) return 0;
  }
  int fraction = 0;
  if (*at == '.') {
    fraction = append_digits(++at, mantissa);
    if (fraction == 0) return 0;
    at += fraction;
    if (fraction == 8) {
      const int more = append_digits(at, mantissa);
      // 19 digits and the point are sure to fit in 64 bits.
      if (more == 8 || at + more - begin > 20) return 0;
      at += more;
      fraction += more;
    }
  }
  if (mantissa > exact_mantissa || (*at | 0x20) == 'e') return 0;
  const double number = static_cast<double>(static_cast<int64_t>(mantissa)) / exact_powers[fraction];
  // The sign of a rate is a coin toss: no branch on it.
  uint64_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  bits |= uint64_t(negative) << 63;
  std::memcpy(value, &bits, sizeof bits);
  return static_cast<size_t>(at - begin);
}

/// Any number. Not inlined: the quick way would have to save its registers.
__attribute__((noinline)) size_t parse_any(const char *begin, const char *end, double *value) {
  const std::from_chars_result result = std::from_chars(begin, end, *value);
  return result.ec == std::errc() ? static_cast<size_t>(result.ptr - begin) : 0;
}

/// Up to 19 digits, one by one.
__attribute__((noinline)) size_t parse_digits_singly(const char *begin, const char *end, uint64_t *value) {
  uint64_t digits = 0;
  const char *at = begin;
  while (at < end && is_digit(*at)) {
    if (at - begin == 19) return 0;
    digits = digits * 10 + digit(*at++);
  }
  if (at > begin) *value = digits;
  return static_cast<size_t>(at - begin);
}

}  // namespace

size_t cnumbers_parse_digits(const char *begin, const char *end, uint64_t *value) {
  if (end - begin < quick_bytes) return parse_digits_singly(begin, end, value);
  uint64_t digits = 0;
  int count = append_digits(begin, digits);
  if (count == 8) {
    count += append_digits(begin + 8, digits);
    if (count == 16) count += append_digits(begin + 16, digits);
  }
  if (count == 0 || count > 19) return 0;
  *value = digits;
  return static_cast<size_t>(count);
}

size_t cnumbers_parse_double(const char *begin, const char *end, double *value) {
  const size_t read = parse_simple(begin, end, value);
  return __builtin_expect(read != 0, 1) ? read : parse_any(begin, end, value);
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
