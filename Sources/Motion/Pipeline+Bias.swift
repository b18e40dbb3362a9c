extension Pipeline {
  /// How much is known of the bias in force, 0 to 1; nil where it is not estimated.
  package var biasConfidence: Double? { settings.biasMode == .auto ? estimator.learned.confidence : nil }

  /// What was learned, whether it is in force or not; after a `restart()` all that the estimator knows.
  package var learnedBias: LearnedBias { estimator.learned }

  /// Goes on from what was learned at another time, and forgets all else. It holds from the next sample on. What is no
  /// estimate, or beyond `maxBias`, is as good as none.
  package mutating func adopt(_ learned: LearnedBias) {
    estimator.adopt(learned)
    chooseBias()
  }

  /// Another sensor: nothing that was learned of the one before holds for it.
  package mutating func forgetSensor() {
    adopt(.none)
    gravity.forget()
  }

  /// The bias in force is the mode's again.
  mutating func chooseBias() {
    switch settings.biasMode {
    case .auto: bias = estimator.bias
    case .fixed: bias = settings.bias
    case .off: bias = .zero
    }
  }

  /// A sample was accepted; what follows from it holds from the next one on.
  @inline(__always)
  mutating func learnBias(from rate: Vector3, at timestamp: Int64) {
    guard settings.biasMode == .auto else { return }
    estimator.add(rate, at: timestamp)
    bias = estimator.bias
  }
}

/// An estimated bias, and how much is known of it.
package struct LearnedBias: Equatable, Sendable {
  /// rad/s in the sensor's own frame.
  package var bias: Vector3
  /// Of the axis that is known least, (rad/s)²; 1 or more where nothing is known.
  package var variance: Double

  package init(_ bias: Vector3, variance: Double) {
    self.bias = bias
    self.variance = variance
  }

  /// Nothing is known.
  package static let none = LearnedBias(.zero, variance: 1)

  /// Whether it is an estimate at all: finite, and better than none.
  package var isKnown: Bool {
    variance >= 0 && variance < 1 && bias.x.isFinite && bias.y.isFinite && bias.z.isFinite
  }

  /// 0 (nothing is known) to 1 (calibrated just now): a half where the standard error is 0.001 rad/s.
  package var confidence: Double {
    isKnown ? BiasEstimate.doubtful / (BiasEstimate.doubtful + variance) : 0
  }

  /// The same, to be checked anew: the sensor has been off, and may have another temperature by now. The confidence is
  /// 0.8 at most.
  package var doubted: LearnedBias { LearnedBias(bias, variance: max(variance, BiasEstimate.doubtful / 4)) }
}
