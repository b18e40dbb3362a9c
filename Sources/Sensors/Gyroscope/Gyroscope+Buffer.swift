import Glibc
import IIO
import Linux
import Motion

extension Gyroscope {
  /// An accelerometer's part in the scans of its gyroscope.
  struct ScannedAccelerometer {
    let accelerometer: Accelerometer
    let elements: [ScanElement]
    let reading: AccelerationReading
  }

  /// What came of switching the buffer on.
  struct OpenBuffer {
    let reader: UnsafeMutablePointer<ScanReader>
    /// To be watched by the loop; nil for another machine's device, whose refills wait.
    let descriptor: Int32?
    /// Hz.
    let frequencySet: Double?
    let clock: String
    /// Why this mode, for people.
    let why: String
  }

  /// Whether there is a buffer that may be used, before anything is written; the scans' elements.
  func checkBuffer() throws(SensorFailure) -> [ScanElement] {
    let elements: [ScanElement]
    do throws(SampleFormatError) {
      elements = try scanElements()
    } catch {
      throw SensorFailure(.configuration, "\(title) has no buffer that can be read (\(error))")
    }
    do throws(IIOError) { try device.probeNode() } catch { throw nodeFailure(error) }
    return elements
  }

  /// Sets the device up in one of its ways and switches its buffer on, with x, y, z and the stamp in each scan.
  ///
  /// What was changed is in `undo`, also when this fails. The reader is the caller's to destroy, before
  /// anything is undone.
  ///
  /// - Parameters:
  ///   - accelerations: what is to be in each scan too.
  ///   - asked: Hz.
  ///   - intake: what is done to the scans at the frequency (Hz) that was set.
  func openBuffer(
    _ elements: [ScanElement], _ accelerations: ScannedAccelerometer?,
    _ start: ScanStart, _ starts: ScanStarts, asked: Double, intake: (Double?) -> ScanIntake,
    undo: inout Undo, why: inout [String]
  ) throws(SensorFailure) -> OpenBuffer {
    switchOffLeftBuffer()
    keepBufferSettings(in: &undo)
    let trigger = try setUpTrigger(start, starts, undo: &undo)
    let clock = setUpClock(undo: &undo)
    var frequency = setFrequency(asked: asked, trigger: trigger.trigger, undo: &undo, why: &why)
    if start == .hrtimer { frequency = setTimer(asked: asked, own: frequency, why: &why) ?? frequency }
    for channel in device.channels { channel.setEnabled(false) }
    let others = (timestamp.map { [$0] } ?? []) + (accelerations?.accelerometer.axes ?? [])
    for channel in axes + others { channel.setEnabled(true) }
    do throws(IIOError) {
      let (reader, descriptor) = try makeReader(
        elements, accelerations, clock: clock, frequency: frequency, intake: intake(frequency),
        fifo: start == .fifo ? starts.fifo : nil, undo: &undo, why: &why)
      var text = trigger.text
      if start == .fifo, !HardwareFIFO.isInUse(by: device) {
        // Without a trigger that was taken away for it, the driver fills the buffer all the same.
        guard starts.trigger == .unsupported else { throw Self.unused(reader) }
        text = "no trigger needed"
      }
      return OpenBuffer(
        reader: reader, descriptor: descriptor, frequencySet: frequency, clock: clock ?? "wake-up",
        why: "buffer: \(elements[0].format) scans, \(text)")
    } catch {
      for channel in device.channels { channel.setEnabled(false) }
      throw SensorFailure(error, title)
    }
  }

  /// Switches the buffer off, which no FIFO fills; what to throw.
  private static func unused(_ reader: UnsafeMutablePointer<ScanReader>) -> IIOError {
    reader.deinitialize(count: 1)
    reader.deallocate()
    return IIOError(code: EINVAL, operation: "use the hardware's FIFO (hwfifo_enabled stays 0)")
  }

  /// A buffer that a crash left on, and that nobody reads: while it runs the kernel takes no trigger and no clock.
  private func switchOffLeftBuffer() {
    guard device.isLocal, (try? device.read("buffer/enable")) == "1" else { return }
    try? device.write("buffer/enable", "0")
  }

  /// A device without a node can still be there, and its attributes be read.
  private func nodeFailure(_ error: IIOError) -> SensorFailure {
    guard error.code == ENOENT else { return SensorFailure(error, title, node: device.nodePath) }
    return SensorFailure(.configuration, "\(title) has no \(device.nodePath) to read scans from")
  }

  /// libiio leaves length and watermark changed and every scan element switched off.
  private func keepBufferSettings(in undo: inout Undo) {
    guard device.isLocal else { return }
    // Put back in the opposite order: the watermark must not exceed the length.
    undo.keep(Attribute(device, "buffer/watermark"))
    undo.keep(Attribute(device, "buffer/length"))
    for channel in device.channels where channel.isScanElement {
      undo.keep(Attribute(device, "scan_elements/\(channel.isOutput ? "out" : "in")_\(channel.id)_en"))
    }
  }

  /// Has the device stamp its scans with CLOCK_MONOTONIC where it can.
  ///
  /// - Returns: the clock that it stamps with (`realtime` where it does not say: the kernel's default); nil
  ///   where it does not stamp.
  private func setUpClock(undo: inout Undo) -> String? {
    guard timestamp != nil else { return nil }
    let attribute = Attribute(device, "current_timestamp_clock")
    guard attribute.exists, let now = try? attribute.read() else { return "realtime" }
    if now == "monotonic" { return now }
    undo.keep(attribute)
    try? attribute.write("monotonic")
    let set = (try? attribute.read()) ?? now
    // The status shows it: nothing but the kernel's own words.
    return set.utf8.count <= 32 && set.utf8.allSatisfy { $0 == 0x5f || (0x61...0x7a).contains($0) }
      ? set : "realtime"
  }

  /// Switches the buffer on and wraps it up.
  private func makeReader(
    _ elements: [ScanElement], _ accelerations: ScannedAccelerometer?, clock: String?,
    frequency: Double?,
    intake: ScanIntake, fifo: HardwareFIFO?, undo: inout Undo, why: inout [String]
  ) throws(IIOError) -> (UnsafeMutablePointer<ScanReader>, Int32?) {
    let decoder = try decoder(elements, accelerations)
    let samples = device.isLocal ? 1 : Self.remoteSamples(frequency)
    let kernelScans = Self.kernelScans(frequency)
    // A FIFO may hand over all that it holds at once.
    let scans = kernelScans + min(fifo?.capacity ?? 0, Self.mostScans)
    let kernelBuffers = (scans + samples - 1) / samples
    let buffer = try switchOn(samples: samples, kernelBuffers: kernelBuffers, undo: &undo, why: &why)
    guard buffer.step == decoder.size else {
      throw IIOError(code: EPROTO, operation: "find \(decoder.size) bytes in a scan of \(buffer.step)")
    }
    var descriptor: Int32?
    if device.isLocal {
      try buffer.makeNonBlocking()
      // What lay in the hardware's FIFO before it was switched on is old.
      if fifo != nil { for _ in 0..<scans where try buffer.refill() == 0 { break } }
      descriptor = try buffer.pollDescriptor()
    }
    // The monotonic clock of another machine is another clock.
    let isOurs = device.isLocal && (clock == "monotonic" || clock == "monotonic_coarse")
    let spacing = frequency.map { Int64(1e9 / max($0, 1e-3)) } ?? 0
    let reader = UnsafeMutablePointer<ScanReader>.allocate(capacity: 1)
    reader.initialize(
      to: ScanReader(
        buffer, decoder: decoder, hasTimestamps: timestamp != nil, spacingNanoseconds: spacing,
        kernelScans: kernelScans, isBlocking: !device.isLocal, mapping: isOurs ? nil : ClockMapping(),
        intake: intake))
    return (reader, descriptor)
  }

  private func decoder(
    _ elements: [ScanElement], _ accelerations: ScannedAccelerometer?
  ) throws(IIOError) -> ScanDecoder {
    do throws(SampleFormatError) {
      return try ScanDecoder(
        axes: elements, hasTimestamp: timestamp != nil,
        accelerations: accelerations.map { ($0.elements, $0.reading) })
    } catch {
      throw IIOError(code: EPROTO, operation: "lay out a scan (\(error))")
    }
  }

  /// Switches the buffer on, if need be after the device's other sensors have the same frequency.
  private func switchOn(samples: Int, kernelBuffers: Int, undo: inout Undo, why: inout [String])
    throws(IIOError) -> Buffer
  {
    do throws(IIOError) {
      return try Buffer(device, samples: samples, kernelBuffers: kernelBuffers)
    } catch {
      guard error.code == EINVAL, matchOtherSensors(undo: &undo, why: &why) else { throw error }
      return try Buffer(device, samples: samples, kernelBuffers: kernelBuffers)
    }
  }

  /// Scans that the kernel holds for a reader that is late: at least 0.25 s of them. libiio's own four lose
  /// scans at every pause. Of slow sensors more, since room for 256 costs next to nothing and lets the loop
  /// sleep for longer (see `DrainPlan`).
  static func kernelScans(_ frequency: Double?) -> Int {
    // Where the frequency is unknown, 512 do for 2 kHz.
    guard let frequency else { return 512 }
    return min(max(256, Int((0.25 * min(frequency, 1e5)).rounded(.up))), mostScans)
  }

  private static let mostScans = 8192

  /// Scans in one refill from another machine: about 10 ms of them, since each costs a round trip.
  private static func remoteSamples(_ frequency: Double?) -> Int {
    max(1, Int(min((frequency ?? 0) / 100, Double(ScanReader.capacity))))
  }
}
