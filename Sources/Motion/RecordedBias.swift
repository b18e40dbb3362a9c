/// What a recording says was done about the bias when it was made, so that the same is computed from it.
package enum RecordedBias: Equatable, Sendable {
  /// This was taken off, rad/s in the sensor's own frame.
  case fixed(Vector3)
  /// It was estimated, and so much was known at the beginning.
  case estimated(LearnedBias)
}

extension MotionSettings {
  /// As it was when the recording was made; a pipeline must then adopt what was estimated.
  package mutating func play(_ recorded: RecordedBias) {
    switch recorded {
    case .fixed(let recorded):
      biasMode = .fixed
      bias = recorded
    case .estimated: biasMode = .auto
    }
  }
}

extension Pipeline {
  /// Begins a recording with what was known then.
  package mutating func adopt(_ recorded: RecordedBias) {
    if case .estimated(let learned) = recorded { adopt(learned) }
  }
}
