import Glibc
import IIO
import Linux
import Motion
import Settings

/// A gyroscope that is being read, with all that is to be given back afterwards. The worker's alone, except
/// for the reader of a local buffer (see `ReaderHandOver`).
final class SensorSession {
  /// How its samples come.
  enum Feed {
    /// The loop watches the descriptor and reads.
    case loop(ReaderHandOver)
    /// The worker waits for scans.
    case refills(UnsafeMutablePointer<ScanReader>)
    /// The worker reads raw values.
    case polled(PolledReader)
  }

  private let context: Context
  private(set) var feed: Feed?
  private(set) var description: SensorDescription
  private var undo = Undo()
  private var reader: UnsafeMutablePointer<ScanReader>?

  /// Finds the gyroscope and sets it up; may block for seconds. When it fails, everything is as it was.
  ///
  /// - Parameter isWanted: asked between the steps; ends the opening with `noDevice` when it is not.
  init(_ configuration: IIOConfiguration, isWanted: () -> Bool) throws(SensorFailure) {
    let sensor = configuration.sensor
    do throws(IIOError) {
      context = try Context(uri: sensor.uri)
      if !context.isLocal {
        // libiio gives the other machine half of it.
        try context.setTimeout(milliseconds: UInt32(clamping: sensor.readTimeoutNanoseconds / 500_000))
      }
    } catch {
      throw SensorFailure(opening: sensor.uri, error)
    }
    description = SensorDescription()
    description.uri = sensor.uri ?? "local:"
    let devices = context.devices
    let (gyroscope, why) = try Self.choose(devices, wanted: sensor.device)
    describe(gyroscope, devices, why: why, configuration)
    guard isWanted() else { throw SensorFailure(.noDevice, "\(gyroscope.title) is not wanted any more") }
    do throws(SensorFailure) {
      try open(gyroscope, devices, configuration)
    } catch {
      close()
      throw error
    }
  }

  /// Switches the sensor off and puts back what was changed. May block for seconds.
  func close() {
    feed = nil
    if let reader {
      reader.deinitialize(count: 1)
      reader.deallocate()
    }
    reader = nil
    undo.restore()
  }

  deinit { close() }

  private static func choose(_ devices: [Device], wanted: String?) throws(SensorFailure) -> (
    Gyroscope, String
  ) {
    let gyroscopes = devices.compactMap { Gyroscope($0) }
    guard !gyroscopes.isEmpty else {
      let count = devices.count { !$0.isTrigger }
      let what = count == 0 ? "there is no IIO device" : "none of the IIO devices (\(count)) is a gyroscope"
      throw SensorFailure(.noDevice, "\(what): plug one in, or load its driver")
    }
    guard let choice = DeviceChoice(among: gyroscopes.map(\.identity), wanted: wanted) else {
      throw SensorFailure(
        .noDevice,
        "no gyroscope is called \"\(wanted ?? "")\" as `device` wants: `parallaxd --list-sensors` shows what there is"
      )
    }
    return (gyroscopes[choice.index], choice.why)
  }

  private func describe(
    _ gyroscope: Gyroscope, _ devices: [Device], why: String, _ configuration: IIOConfiguration
  ) {
    let identity = gyroscope.identity
    description.name = identity.name
    description.label = identity.label
    description.id = identity.id
    description.path = identity.path
    description.frequencyAsked = configuration.frequencyAsked
    let reading = gyroscope.reading(configuredMatrix: configuration.sensor.mountMatrix, among: devices)
    description.why = [why] + reading.why
    description.warnings = reading.warnings
    description.model = reading.model
    description.mountMatrixFrom = reading.matrixFrom
  }

  private func open(_ gyroscope: Gyroscope, _ devices: [Device], _ configuration: IIOConfiguration)
    throws(SensorFailure)
  {
    switch configuration.sensor.mode {
    case .buffer: try openBuffer(gyroscope, devices, configuration)
    case .poll: try openPolled(gyroscope, configuration, why: "poll: `mode` in [sensor] says so")
    case .auto:
      do throws(SensorFailure) {
        try openBuffer(gyroscope, devices, configuration)
      } catch {
        undo.restore()
        try openPolled(gyroscope, configuration, why: "poll: \(error.text)")
      }
    }
  }

  private func openBuffer(_ gyroscope: Gyroscope, _ devices: [Device], _ configuration: IIOConfiguration)
    throws(SensorFailure)
  {
    var why: [String] = []
    let open = try gyroscope.openBuffer(configuration, devices: devices, undo: &undo, why: &why)
    reader = open.reader
    open.reader.pointee.intake = intake(of: gyroscope, configuration, frequency: open.frequencySet)
    feed =
      open.descriptor.map { .loop(ReaderHandOver(reader: open.reader, descriptor: $0)) }
      ?? .refills(open.reader)
    description.mode = "buffer"
    description.why += [open.why] + why
    description.clock = open.clock
    description.frequencySet = open.frequencySet
    description.model.nominalFrequency = open.frequencySet ?? 0
  }

  private func openPolled(_ gyroscope: Gyroscope, _ configuration: IIOConfiguration, why: String)
    throws(SensorFailure)
  {
    if let refusal = gyroscope.pollRefusal {
      throw SensorFailure(.noData, "\(gyroscope.title) cannot be polled (\(refusal)); \(why)")
    }
    var notes: [String] = []
    description.frequencySet = gyroscope.setFrequency(
      asked: configuration.frequencyAsked, trigger: nil, undo: &undo, why: &notes)
    let polled = PolledReader(
      gyroscope: gyroscope,
      intake: intake(
        of: gyroscope, configuration, frequency: 1e9 / Double(configuration.pollPeriodNanoseconds)))
    do throws(IIOError) { _ = try polled.read() } catch { throw SensorFailure(error, gyroscope.title) }
    feed = .polled(polled)
    description.mode = "poll"
    description.why += [why] + notes
    description.clock = "wake-up"
    description.model.nominalFrequency = 1e9 / Double(configuration.pollPeriodNanoseconds)
  }

  /// What is done to the scans of a gyroscope whose model is known.
  ///
  /// - Parameter frequency: Hz, where it is known.
  private func intake(of gyroscope: Gyroscope, _ configuration: IIOConfiguration, frequency: Double?)
    -> ScanIntake
  {
    ScanIntake(
      configuration, model: description.model, frequency: frequency, givesAngles: gyroscope.givesAngles,
      givesStamps: gyroscope.timestamp != nil)
  }
}
