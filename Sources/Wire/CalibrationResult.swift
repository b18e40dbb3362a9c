/// The reply of `Calibrate`.
package struct CalibrationResult: Equatable, Sendable, Decodable {
  /// rad/s along x, y and z of the sensor's own frame.
  package var bias: [Double]
  /// 0 to 1.
  package var confidence: Double
  /// The standard deviation of the samples, rad/s; nil where a daemon does not say.
  package var noise: [Double]?

  package init(bias: [Double], confidence: Double, noise: [Double]?) {
    self.bias = bias
    self.confidence = confidence
    self.noise = noise
  }
}

extension JSONBuffer {
  /// As a reply with its end.
  package mutating func appendReply(_ result: CalibrationResult, in form: MessageForm) {
    appendReply(in: form) {
      $0.member("bias", result.bias)
      $0.member("confidence", result.confidence)
      if let noise = result.noise { $0.member("noise", noise) }
    }
  }
}
