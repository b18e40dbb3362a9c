/// What the daemon is doing (`state` on the wire).
package enum MotionState: String, CaseIterable, Decodable, Sendable {
  case idle, starting, running, reduced, waiting, stalled
}

/// Why it is in that state (`reason` on the wire).
package enum StateReason: String, CaseIterable, Decodable, Sendable {
  case noDevice = "no-device"
  case permission
  case busy
  case noData = "no-data"
  case suspended
  case replayEnded = "replay-ended"
  case configuration
  case user
}

/// One event of a `Subscribe` stream, and the reply of `GetMotion`.
package struct MotionEvent: Equatable, Sendable {
  /// Rates about x, y and z, rad/s in the device frame.
  package struct Rate: Decodable, Equatable, Sendable {
    package var x: Double
    package var y: Double
    package var z: Double
    package init(x: Double, y: Double, z: Double) {
      self.x = x
      self.y = y
      self.z = z
    }
  }

  /// −1 to 1 along each axis, signs as the offset's.
  package struct Tilt: Decodable, Equatable, Sendable {
    package var x: Double
    package var y: Double
    package init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// What a subscriber's scene follows from: two that are equal look the same. Not on the wire as it is.
  package struct ScenePlace: Equatable, Sendable {
    /// The scene's own offset: points, y up, not scaled by reduced motion.
    package var x: Double
    package var y: Double
    package var tiltX: Double
    package var tiltY: Double
    /// What is left of the motion; nil: it is not reduced.
    package var reducedTo: Double?

    package init(x: Double, y: Double, tiltX: Double, tiltY: Double, reducedTo: Double?) {
      self.x = x
      self.y = y
      self.tiltX = tiltX
      self.tiltY = tiltY
      self.reducedTo = reducedTo
    }
  }

  /// Index of the last update in it; −1 before the first.
  package var sequence: Int64 = -1
  /// Of the newest sample in it; 0 before the first.
  package var timestampNanoseconds: Int64 = 0
  /// Points, to the right.
  package var x: Double = 0
  /// Points, up.
  package var y: Double = 0
  package var state: MotionState = .idle
  package var reason: StateReason?
  package var reducedMotion = false
  /// Whether samples were missed before this event.
  package var gap = false
  /// Updates that this subscriber missed since its last event because it did not read.
  package var dropped: Int64 = 0
  /// Points per second at which x and y move; 0 where they do not. For the shared page: not on the wire.
  package var velocityX: Double = 0
  package var velocityY: Double = 0
  /// nil unless asked for and allowed.
  package var rate: Rate?
  /// nil unless asked for.
  package var tilt: Tilt?
  /// nil where the subscriber has no scene.
  package var scene: ScenePlace?

  package init() {}
}
