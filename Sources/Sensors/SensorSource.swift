import Motion

/// A gyroscope, real or played back; the two are equals above this line.
///
/// Lives on the loop's thread; nothing here blocks. A source reports through its `SensorDelegate`, never
/// from within `start()` or `stop()` itself.
package protocol SensorSource: AnyObject {
  /// Hears of what happens; outlives the source, which does not own it.
  var delegate: (any SensorDelegate)? { get set }

  /// What is known of the sensor, open or not, for the status.
  var description: SensorDescription { get }

  /// Scans left out because the sensor had just been switched on, the last time that it was.
  var settlingDropped: Int { get }

  /// The shortest time in nanoseconds from one event to the next that anybody wants. Where it is long a source may wake
  /// the loop less often; the samples are the same.
  var patienceNanoseconds: Int64 { get set }

  /// Whether somebody wants accelerations with the samples, where they can be had. Another value may begin a new stream.
  var wantsAcceleration: Bool { get set }

  /// Opens the sensor and lets scans come. Answers with `sensorDidOpen` or `sensorDidFail`. A source that
  /// failed goes on trying by itself until it is stopped.
  func start()

  /// Gives the sensor back as it was and lets it sleep; `stopped` is called when that has been done. No
  /// scans come from now on. A replay keeps its place and goes on from there at the next `start()`.
  func stop(_ stopped: @escaping () -> Void)
}

/// Hears of a source; always on the loop's thread.
package protocol SensorDelegate: AnyObject {
  /// The sensor is open and set up; `description.model` is final. The next sample begins a new stream.
  func sensorDidOpen(_ description: SensorDescription)

  /// The samples of one wake-up in the order in which they were taken, at least one. The memory is the
  /// source's and valid during the call only.
  ///
  /// - Returns: the time of the newest update that came of them; nil where none did.
  func sensorDidRead(_ samples: UnsafeBufferPointer<RawSample>) -> Int64?

  /// The next sample begins a new stream: a lap of a replay loop.
  func sensorDidRestart()

  /// Something about an open sensor that somebody should see to, a sentence.
  func sensorDidWarn(_ text: String)

  /// No scans for now; where `retryInNanoseconds` is set the source tries again by itself.
  func sensorDidFail(_ failure: SensorFailure)

  /// The replay has played its last row.
  func sensorDidEnd()
}
