import CIIO
import Glibc

/// Scans as they come from a device; closing it switches the buffer off and lets the sensor sleep.
///
/// Owned by one thread at a time. The device's context must outlive it. Making it writes the device's length,
/// watermark and scan elements, which closing does not put back.
package struct Buffer: ~Copyable {
  private let handle: OpaquePointer
  private let isLocal: Bool

  /// Bytes from one scan to the next.
  package let step: Int

  /// Switches on the buffer of a device for its enabled channels. May block for seconds.
  ///
  /// - Parameters:
  ///   - samples: scans in one refill; also the watermark, at which a reader is woken.
  ///   - kernelBuffers: how many times `samples` the kernel holds for a reader that is late.
  package init(_ device: Device, samples: Int, kernelBuffers: Int) throws(IIOError) {
    // Best effort: a backend that cannot set it has its own way to hold scans.
    _ = iio_device_set_kernel_buffers_count(device.handle, UInt32(clamping: kernelBuffers))
    handle = try checked("switch on the buffer of \(device.id)") {
      iio_device_create_buffer(device.handle, samples, false)
    }
    step = iio_buffer_step(handle)
    isLocal = device.isLocal
  }

  deinit { quietly { iio_buffer_destroy(handle) } }

  /// Makes `refill` return at once where nothing has come. ENOSYS for devices of another machine.
  package func makeNonBlocking() throws(IIOError) {
    try checked("read without waiting", iio_buffer_set_blocking_mode(handle, false))
  }

  /// The descriptor that is readable when scans have come; it stays the buffer's. An unplugged device does
  /// not make it readable. ENOSYS for devices of another machine.
  package func pollDescriptor() throws(IIOError) -> Int32 {
    try checked("get the descriptor of the buffer", iio_buffer_get_poll_fd(handle))
  }

  /// Takes the next scans into `bytes`; how many bytes. 0: nothing has come (only when non-blocking).
  /// ENODEV: unplugged. ETIMEDOUT: another machine's device is silent. EBADF: `cancel` was used.
  package func refill() throws(IIOError) -> Int {
    // Another machine's prints what fails, and takes as long as a lock never does.
    let result = isLocal ? iio_buffer_refill(handle) : quietly { iio_buffer_refill(handle) }
    if result == -Int(EAGAIN) { return 0 }
    return try checked("read scans", result)
  }

  /// The scans of the last refill; valid until the next.
  package var bytes: UnsafeRawBufferPointer {
    guard let start = iio_buffer_start(handle), let end = iio_buffer_end(handle) else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(start: start, count: end - start)
  }

  /// Ends a refill in progress from another thread; further refills fail with EBADF, and another machine is not
  /// waited for when the buffer is closed. The caller sees to it that the buffer still lives.
  package func cancel() { iio_buffer_cancel(handle) }
}
