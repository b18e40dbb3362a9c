import Motion
import Wire

/// What the server asks of the daemon; always on the loop's thread.
package protocol ServerDelegate: AnyObject {
  /// The present state: the first event of a stream and the reply of `GetMotion`. With the rate, when
  /// there is one; the server takes it out for those who did not ask or may not see it.
  var presentEvent: MotionEvent { get }

  /// Tilt from neutral, −1 to 1 on each axis, not scaled by reduced motion: what scenes' effects follow.
  var presentTilt: Tilt { get }

  /// The reply of `GetStatus`.
  func makeStatus() -> Status

  /// The first message of a raw stream; nil while the sensor does not run.
  var rawHeader: RawHeader? { get }

  /// The next sample begins a new stream, as if the pipeline were a fresh one. Raw subscribers are told
  /// (`Server.rawStreamDidRestart`).
  func restartStream()

  /// `Server.audience` has changed.
  func audienceDidChange()

  /// Everything to neutral. Publishes an event before it returns.
  func recenter()

  /// Points in screen direction, y down. Publishes an event before it returns.
  func pan(x: Double, y: Double)

  /// The run-time switch of reduced motion: nil gives it back to the configuration.
  func setReducedMotion(_ enabled: Bool?)

  /// Measures the bias while the device lies still, and answers by `Server.finishCalibration` with the same number.
  ///
  /// - Parameter nanoseconds: nil: for the usual time.
  ///
  /// Throws where it cannot begin.
  func beginCalibration(_ id: Int, nanoseconds: Int64?) throws(ServiceError)

  /// Who asked for it is gone.
  func cancelCalibration(_ id: Int)

  /// Connections that hold reduced motion on for as long as they live: how many there are now.
  func reducedMotionHoldsDidChange(_ holds: Int)
}

/// Who listens.
package struct Audience: Equatable, Sendable {
  /// Open streams, of events and of raw scans, and connections that have a page open.
  package var subscribers = 0
  /// Those of them that want no motion: they asked for reduced motion for themselves, and nothing is left of
  /// it (`Server.reducedMotionScale` is 0).
  package var reduced = 0
  package var connections = 0
  /// Those of the subscribers that have a page open.
  package var pages = 0
  /// Streams that asked for tilt, or whose scene goes by it, and see the motion. Not pages: who reads one cannot say
  /// whether he looks at it.
  package var tilts = 0
  /// The smallest `min_interval` among those who see the motion, nanoseconds; 0 where nobody does.
  package var patienceNanoseconds: Int64 = 0

  package init() {}
}
