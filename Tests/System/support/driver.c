// What a kernel's driver does to what is written to its attributes, for devices that are made of files: it rounds,
// it refuses, it shows. Preloaded into the program under test; libiio writes attributes by fwrite.
//
//   IIO_DRIVER=rules LD_PRELOAD=./driver.so program
//
// A rule a line, `device rule argument`:
//
//   iio:device1 milliseconds 0      a frequency is kept as a period of whole milliseconds, cut, as HID sensors do
//   iio:device1 most 100            Hz; a higher frequency becomes this one
//   iio:device1 needs_trigger -     no trigger: the buffer is refused (EINVAL)
//   iio:device1 same_frequency in_accel_sampling_frequency
//                                   the buffer is refused while that is not the rates' own (bmi323)
//   iio:device1 fifo -              the buffer runs without a trigger too, and hwfifo_enabled says so
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef size_t (*writer)(const void *, size_t, size_t, FILE *);

static size_t real_fwrite(const void *data, size_t length, FILE *file) {
  static writer real;
  if (!real) real = (writer)dlsym(RTLD_NEXT, "fwrite");
  return real(data, 1, length, file);
}

// The argument of a device's rule; false where it has no such rule.
static bool find_rule(const char *device, const char *rule, char argument[64]) {
  const char *path = getenv("IIO_DRIVER");
  FILE *rules = path ? fopen(path, "re") : NULL;
  if (!rules) return false;
  char name[64], what[64];
  bool found = false;
  while (!found && fscanf(rules, "%63s %63s %63s", name, what, argument) == 3)
    found = strcmp(name, device) == 0 && strcmp(what, rule) == 0;
  fclose(rules);
  return found;
}

// The text of an attribute, without what ends it; empty where there is none.
static void read_text(const char *folder, const char *attribute, char text[64]) {
  char path[PATH_MAX + 128];
  snprintf(path, sizeof path, "%s/%s", folder, attribute);
  FILE *file = fopen(path, "re");
  size_t length = file ? fread(text, 1, 63, file) : 0;
  if (file) fclose(file);
  text[length] = 0;
  text[strcspn(text, "\n")] = 0;
}

static void write_text(const char *folder, const char *attribute, const char *text) {
  char path[PATH_MAX + 128];
  snprintf(path, sizeof path, "%s/%s", folder, attribute);
  FILE *file = fopen(path, "we");
  if (!file) return;
  real_fwrite(text, strlen(text), file);
  fclose(file);
}

// Whether a driver would run the buffer.
static bool may_run(const char *device, const char *folder) {
  char argument[64], trigger[64], own[64], other[64];
  read_text(folder, "trigger/current_trigger", trigger);
  if (find_rule(device, "needs_trigger", argument) && !trigger[0]) return false;
  if (find_rule(device, "same_frequency", argument)) {
    read_text(folder, "in_anglvel_sampling_frequency", own);
    read_text(folder, argument, other);
    if (strtod(own, NULL) != strtod(other, NULL)) return false;
  }
  if (find_rule(device, "fifo", argument)) write_text(folder, "buffer/hwfifo_enabled", trigger[0] ? "0\n" : "1\n");
  return true;
}

// What a driver makes of a frequency.
static void round_frequency(const char *device, char text[64]) {
  char argument[64];
  double hertz = strtod(text, NULL);
  if (find_rule(device, "most", argument) && hertz > strtod(argument, NULL)) hertz = strtod(argument, NULL);
  if (find_rule(device, "milliseconds", argument)) {
    int milliseconds = hertz > 0 ? (int)(1000 / hertz) : 0;
    hertz = milliseconds > 0 ? 1000.0 / milliseconds : 0;
  }
  snprintf(text, 64, "%.6f\n", hertz);
}

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), last = strlen(end);
  return length >= last && strcmp(text + length - last, end) == 0;
}

size_t fwrite(const void *data, size_t size, size_t count, FILE *file) {
  char link[64], path[PATH_MAX], text[64] = "", argument[64];
  size_t length = size * count;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(file));
  ssize_t end = getenv("IIO_DRIVER") ? readlink(link, path, sizeof path - 1) : -1;
  path[end > 0 ? end : 0] = 0;
  char *device = strstr(path, "/iio:device");
  char *attribute = device ? strchr(device + 1, '/') : NULL;
  if (!attribute || size == 0 || length >= sizeof text) return size ? real_fwrite(data, length, file) / size : 0;
  memcpy(text, data, length);
  char folder[PATH_MAX], name[64];
  snprintf(folder, sizeof folder, "%.*s", (int)(attribute - path), path);
  snprintf(name, sizeof name, "%.*s", (int)(attribute - device - 1), device + 1);
  if (strcmp(attribute, "/buffer/enable") == 0) {
    if (text[0] == '1' && !may_run(name, folder)) {
      real_fwrite("0\n", 2, file);
      // libiio hands a negative result on.
      return (size_t)-EINVAL;
    }
    if (text[0] == '0' && find_rule(name, "fifo", argument)) write_text(folder, "buffer/hwfifo_enabled", "0\n");
  } else if (ends_with(attribute, "sampling_frequency") &&
             (find_rule(name, "milliseconds", argument) || find_rule(name, "most", argument))) {
    round_frequency(name, text);
    real_fwrite(text, strlen(text), file);
    return count;
  }
  return real_fwrite(data, length, file) / size;
}
