extension Pipeline {
  /// How much is known of the bias in force, 0 to 1; nil where it is not estimated.
  package var biasConfidence: Double? { settings.biasMode == .auto ? estimator.confidence : nil }

  /// What was learned, whether it is in force or not; nil where nothing was.
  package var learnedBias: LearnedBias? {
    let confidence = estimator.confidence
    return confidence > 0 ? LearnedBias(estimator.bias, confidence: confidence) : nil
  }

  /// Goes on from what was learned at another time, or forgets all (nil): another sensor. It holds from the next
  /// sample on. What is not finite or beyond `maxBias` is ignored.
  package mutating func adopt(_ learned: LearnedBias?) {
    if let learned {
      estimator.adopt(learned.bias, confidence: learned.confidence)
    } else {
      estimator.forget()
    }
    chooseBias()
  }

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
  /// 0 to 1.
  package var confidence: Double

  package init(_ bias: Vector3, confidence: Double) {
    self.bias = bias
    self.confidence = confidence
  }
}
