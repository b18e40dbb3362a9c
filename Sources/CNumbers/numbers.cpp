#include "cnumbers.h"

#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstring>
#include <system_error>

namespace {

constexpr uint64_t repeated(uint64_t byte) { return byte * 0x0101010101010101; }

/// 10^0 … 10^8.
constexpr uint64_t whole_powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

/// The powers of ten that a double holds exactly.
constexpr double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

constexpr uint64_t exact_mantissa = uint64_t(1) << 53;

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

/// Appends the digits at `at` to `value`, which wraps beyond 19 of them; where they end.
inline const char *append_digits(const char *at, const char *end, uint64_t &value) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  // Eight bytes at once; how many of them are digits, from the left, shows in the highest bits.
  while (end - at >= 8) {
    uint64_t chunk;
    std::memcpy(&chunk, at, 8);
    uint64_t digits = chunk - repeated('0');
    const uint64_t others = (digits | (chunk + repeated(0x7f - '9'))) & repeated(0x80);
    const int count = others ? __builtin_ctzll(others) / 8 : 8;
    if (count == 0) return at;
    // Zeros before the digits; then pairs, fours and eight are put together.
    digits <<= 64 - 8 * count;
    digits = digits * 10 + (digits >> 8);
    digits = ((digits & 0x000000ff000000ff) * (100 + (uint64_t(1000000) << 32)) +
              ((digits >> 16) & 0x000000ff000000ff) * (1 + (uint64_t(10000) << 32))) >>
             32;
    value = value * whole_powers[count] + static_cast<uint32_t>(digits);
    at += count;
    if (count < 8) return at;
  }
#endif
  while (at < end && is_digit(*at)) value = value * 10 + static_cast<uint64_t>(*at++ - '0');
  return at;
}

/// Reads `-12.5` and `1.5e-3` where mantissa and power of ten are exact doubles: then one multiplication or
/// division is correctly rounded (Clinger 1990). 0 where it is not so simple.
inline size_t parse_simple(const char *begin, const char *end, double *value) {
  if (FLT_EVAL_METHOD != 0) return 0;  // wider registers would round twice
  const char *at = begin;
  const size_t negative = at < end && *at == '-';
  at += negative;
  uint64_t mantissa = 0;
  const char *const whole = at;
  while (at < end && is_digit(*at)) mantissa = mantissa * 10 + static_cast<uint64_t>(*at++ - '0');
  if (at == whole) return 0;
  ptrdiff_t digits = at - whole;
  int power = 0;
  if (at < end && *at == '.') {
    const char *const fraction = ++at;
    at = append_digits(at, end, mantissa);
    if (at == fraction || at - fraction > 19) return 0;
    digits += at - fraction;
    power = -static_cast<int>(at - fraction);
  }
  if (digits > 19 || mantissa > exact_mantissa) return 0;
  if (at < end && (*at | 0x20) == 'e') {
    ++at;
    const bool below = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) ++at;
    const char *const first = at;
    int exponent = 0;
    while (at < end && is_digit(*at) && at - first < 3) exponent = exponent * 10 + (*at++ - '0');
    if (at == first || (at < end && is_digit(*at))) return 0;
    power += below ? -exponent : exponent;
  }
  if (power < -22 || power > 22) return 0;
  double number = static_cast<double>(static_cast<int64_t>(mantissa));
  number = power < 0 ? number / exact_powers[-power] : number * exact_powers[power];
  // The sign of a rate is a coin toss: no branch on it.
  uint64_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  bits |= uint64_t(negative) << 63;
  std::memcpy(value, &bits, sizeof bits);
  return static_cast<size_t>(at - begin);
}

}  // namespace

size_t cnumbers_parse_digits(const char *begin, const char *end, uint64_t *value) {
  uint64_t digits = 0;
  const char *const at = append_digits(begin, end, digits);
  if (at == begin || at - begin > 19) return 0;
  *value = digits;
  return static_cast<size_t>(at - begin);
}

namespace {

/// Any number. Not inlined: the quick way would have to save its registers.
__attribute__((noinline)) size_t parse_any(const char *begin, const char *end, double *value) {
  const std::from_chars_result result = std::from_chars(begin, end, *value);
  return result.ec == std::errc() ? static_cast<size_t>(result.ptr - begin) : 0;
}

}  // namespace

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
