// The least that any program could do to read a gyroscope with libiio: what the daemon's time is held against where
// renderers pull from the page, and so nothing goes out. Reads scan after scan, and looks at each.
//
//   iio_loop DEVICE
//
// Ends with the first error. Prints "reading" when the buffer is there.
#include <iio.h>
#include <stdint.h>
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 2) return fputs("usage: iio_loop DEVICE\n", stderr), 2;
  struct iio_context *context = iio_create_local_context();
  struct iio_device *device = context ? iio_context_find_device(context, argv[1]) : NULL;
  if (!device) return perror(argv[1]), 1;
  for (unsigned i = 0; i < iio_device_get_channels_count(device); i++) {
    struct iio_channel *channel = iio_device_get_channel(device, i);
    if (iio_channel_is_scan_element(channel)) iio_channel_enable(channel);
  }
  struct iio_buffer *buffer = iio_device_create_buffer(device, 1, 0);
  if (!buffer) return perror("make a buffer"), 1;
  puts("reading");
  fflush(stdout);
  volatile int64_t newest = 0;
  while (iio_buffer_refill(buffer) >= 0) {
    const char *at = iio_buffer_start(buffer), *end = iio_buffer_end(buffer);
    for (; at < end; at += iio_buffer_step(buffer)) newest = *(const int64_t *)(at + 8);
  }
  (void)newest;
  iio_buffer_destroy(buffer);
  iio_context_destroy(context);
  return 1;
}
