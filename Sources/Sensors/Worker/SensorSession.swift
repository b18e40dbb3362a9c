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

  /// How long another machine may take for an answer when its sensor is given back, milliseconds.
  private static let lastWait: UInt32 = 3000

  private let context: Context
  private(set) var feed: Feed?
  private(set) var description: SensorDescription
  /// Of the same part.
  private(set) var accelerometer: Accelerometer?
  private var undo = Undo()
  private var device: Device?
  private var reader: UnsafeMutablePointer<ScanReader>?
  /// The way to read the buffer that was tried last.
  private var triedStart: ScanStart?

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
    description.uri = sensor.uriInUse
    let devices = context.devices
    var (gyroscope, why) = try GyroscopeSearch(devices).choose(wanted: sensor.device)
    describe(gyroscope, devices, why: why, configuration)
    if description.key == configuration.history.wrongStampsOf {
      gyroscope.timestamp = nil
      description.warn("the timestamps of \(gyroscope.title) are none: \(StampCheck.reason)")
    }
    guard isWanted() else { throw SensorFailure(.noDevice, "\(gyroscope.title) is not wanted any more") }
    device = gyroscope.device
    if let place = configuration.statePlace {
      StateRecovery.run(place, uri: sensor.uriInUse, devices)
      undo.journal = StateJournal(place, StateRecord.Device(gyroscope.device, uri: sensor.uriInUse))
    }
    do throws(SensorFailure) {
      try open(gyroscope, devices, configuration)
    } catch {
      close()
      var failure = error
      if !context.isLocal, error.reason == .noDevice { failure.text += " (\(SensorFailure.staleList))" }
      throw failure
    }
    if let trouble = undo.journal?.trouble { description.warn(trouble) }
  }

  /// Switches the sensor off and puts back what was changed. May block for seconds.
  func close() {
    feed = nil
    // The put back of another machine's sensor is asked for with patience of its own. One that does not answer
    // keeps its journal, and is put back when it is reached the next time.
    if !context.isLocal, device != nil, (try? context.setTimeout(milliseconds: Self.lastWait)) == nil {
      reader?.pointee.cancel()
    }
    if let reader {
      reader.deinitialize(count: 1)
      reader.deallocate()
    }
    reader = nil
    undo.restore()
  }

  /// Switches the buffer off and on again, which is what some drivers need after a hiccup. Its reader stays
  /// valid, also while the loop has it.
  func resetBuffer() throws(SensorFailure) {
    guard let device, reader != nil else { return }
    let enable = Attribute(device, "buffer/enable")
    do throws(IIOError) {
      try enable.write("0")
      try enable.write("1")
    } catch {
      throw SensorFailure(error, description.name ?? device.id)
    }
  }

  deinit { close() }

  private func describe(
    _ gyroscope: Gyroscope, _ devices: [Device], why: [String], _ configuration: IIOConfiguration
  ) {
    let identity = gyroscope.identity
    description.name = identity.name
    description.label = identity.label
    description.id = identity.id
    description.path = identity.path
    description.hasAccelerometer = gyroscope.hasAccelerometer
    accelerometer = Accelerometer(beside: gyroscope, among: devices)
    description.accelerometer = accelerometer?.title
    description.accelerometerIsOwn = accelerometer?.isOwn ?? false
    description.frequencyAsked = configuration.frequencyAsked
    let reading = gyroscope.reading(configuredMatrix: configuration.sensor.mountMatrix, among: devices)
    description.why = why + reading.why
    description.warnings = reading.warnings
    description.model = reading.model
    // Accelerations come in the device frame.
    description.model.accelerationMatrix = .identity
    description.mountMatrixFrom = reading.matrixFrom
    description.accelerometerPlace = accelerometer.map { found in
      AccelerometerPlace(
        id: found.device.id, path: found.device.systemPath, title: found.title, isOwn: found.isOwn,
        isLocal: found.device.isLocal, configuredMatrix: configuration.sensor.mountMatrix,
        gyroscopeMatrix: reading.model.mountMatrix)
    }
    description.temperature = gyroscope.temperature
  }

  private func open(_ gyroscope: Gyroscope, _ devices: [Device], _ configuration: IIOConfiguration)
    throws(SensorFailure)
  {
    switch configuration.sensor.mode {
    case .buffer: try openBuffer(gyroscope, devices, configuration)
    case .poll: try openPolled(gyroscope, configuration, why: "poll: `mode` in [sensor] says so")
    case .auto:
      guard !gyroscope.isPolledForAutoRotation(configuration) else {
        return try openPolled(gyroscope, configuration, why: "poll: \(AutoRotation.reason)")
      }
      do throws(SensorFailure) {
        let silentWays = gyroscope.canBePolled ? configuration.history.silentWays : []
        try openBuffer(gyroscope, devices, configuration, except: silentWays)
      } catch {
        switch error.reason {
        case .busy: description.bufferRefusal = .busy
        // Also where the files are this user's by now: a rule may be at work. A folder that only the unit's start
        // hands over is another matter.
        case .permission:
          if triedStart != .hrtimer || HrtimerTrigger.obstacle != .noRight {
            description.bufferRefusal = .permission
          }
        case .noDevice, .noData, .configuration: break
        }
        try openPolled(gyroscope, configuration, why: "poll: \(error.text)")
      }
    }
  }

  /// Tries the ways to read the buffer, one after another. What failed is undone, and said in `why`.
  private func openBuffer(
    _ gyroscope: Gyroscope, _ devices: [Device], _ configuration: IIOConfiguration,
    except silentWays: [ScanStart] = []
  ) throws(SensorFailure) {
    let elements = try gyroscope.checkBuffer()
    let starts = try gyroscope.scanStarts(among: devices)
    description.why += starts.notes
    var last = SensorFailure(
      .configuration, "\(gyroscope.title) has no trigger that would start its scans")
    for start in starts.order {
      if silentWays.contains(start) {
        description.why.append("not \(start.title): it gave no scans, also when it was opened anew")
        description.bufferRefusal = .noData
        last = SensorFailure(.noData, "its buffer gave no scans; it is tried again from time to time")
        continue
      }
      triedStart = start
      do throws(SensorFailure) {
        try openBuffer(gyroscope, elements, startedBy: start, starts, configuration)
        return
      } catch {
        undo.restore()
        // Another way would not help.
        if error.reason == .busy || error.reason == .noDevice { throw error }
        // What is wrong with a device's own trigger says more than why there is no other.
        let counts = start != .hrtimer || starts.own == nil
        if start != starts.order.last || !counts {
          description.why.append("not \(start.title): \(error.text)")
        }
        if counts { last = error }
      }
    }
    throw last
  }

  private func openBuffer(
    _ gyroscope: Gyroscope, _ elements: [ScanElement], startedBy start: ScanStart,
    _ starts: Gyroscope.ScanStarts, _ configuration: IIOConfiguration
  ) throws(SensorFailure) {
    var why: [String] = []
    let open = try switchOnBuffer(of: gyroscope, elements, start, starts, configuration, why: &why)
    reader = open.reader
    feed =
      open.descriptor.map { .loop(ReaderHandOver(reader: open.reader, descriptor: $0)) }
      ?? .refills(open.reader)
    description.mode = "buffer"
    description.scanStart = start
    description.bufferRefusal = nil
    description.why += [open.why] + why
    description.clock = open.clock
    description.frequencySet = open.frequencySet
    description.model.nominalFrequency = open.frequencySet ?? 0
  }

  /// With accelerations in the scans where they are wanted; without where that does not work.
  private func switchOnBuffer(
    of gyroscope: Gyroscope, _ elements: [ScanElement], _ start: ScanStart,
    _ starts: Gyroscope.ScanStarts, _ configuration: IIOConfiguration, why: inout [String]
  ) throws(SensorFailure) -> Gyroscope.OpenBuffer {
    func open(_ accelerations: Gyroscope.ScannedAccelerometer?, _ why: inout [String]) throws(SensorFailure)
      -> Gyroscope.OpenBuffer
    {
      try gyroscope.openBuffer(
        elements, accelerations, start, starts, asked: configuration.frequencyAsked,
        intake: { intake(of: gyroscope, configuration, frequency: $0) }, undo: &undo, why: &why)
    }
    describeAcceleration()
    guard let accelerations = scannedAccelerometer(configuration) else { return try open(nil, &why) }
    do throws(SensorFailure) {
      let buffer = try open(accelerations, &why)
      describeAcceleration(way: "they are in the same scans", isInScans: true)
      return buffer
    } catch {
      if error.reason == .busy || error.reason == .noDevice { throw error }
      undo.restore()
      why = []
      let buffer = try open(nil, &why)
      describeAcceleration(trouble: "the buffer does not take them: \(error.text)")
      return buffer
    }
  }

  /// How accelerations come, or why they do not.
  func describeAcceleration(way: String? = nil, isInScans: Bool = false, trouble: String? = nil) {
    description.accelerationWay = way
    description.accelerationIsInScans = isInScans
    description.accelerationTrouble = trouble
  }

  /// Not once more what the search for the gyroscope's matrix has said.
  func warn(_ sentences: [String]) {
    for sentence in sentences where !description.warnings.contains(sentence) { description.warn(sentence) }
  }

  private func openPolled(_ gyroscope: Gyroscope, _ configuration: IIOConfiguration, why: String)
    throws(SensorFailure)
  {
    if let refusal = gyroscope.pollRefusal {
      throw SensorFailure(.noData, "\(gyroscope.title) cannot be polled (\(refusal)); \(why)")
    }
    var notes: [String] = []
    // While another program has the buffer the frequency is that one's.
    if description.bufferRefusal != .busy {
      description.frequencySet = gyroscope.setFrequency(
        asked: configuration.frequencyAsked, trigger: nil, undo: &undo, why: &notes)
    }
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
