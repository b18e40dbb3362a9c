import Motion

/// What is remembered of a sensor's bias from one run to the next: the content of its file, as text. Pure.
///
///     parallaxd bias 1
///     sensor local:|/sys/devices/…/i2c-8/8-0068|bmi160|
///     bias 0.0123 -0.0034 0.0007
///     variance 2.1e-08
///     temperature 31.5
///
/// rad/s in the sensor's own frame, (rad/s)², and °C where the part says one: a fact for whoever looks, nothing is
/// computed from it.
package struct BiasRecord: Equatable, Sendable {
  /// What tells the sensor from any other, from boot to boot; one line.
  package var sensor: String
  package var learned: LearnedBias
  package var temperature: Double?

  package init(sensor: String, learned: LearnedBias, temperature: Double? = nil) {
    self.sensor = sensor
    self.learned = learned
    self.temperature = temperature
  }

  private static let firstLine = "parallaxd bias 1"
  /// Bytes of a file; a longer one is none of ours.
  package static let largest = 4096

  package var text: String {
    let bias = learned.bias
    var text = """
      \(Self.firstLine)
      sensor \(sensor)
      bias \(bias.x) \(bias.y) \(bias.z)
      variance \(learned.variance)

      """
    if let temperature { text += "temperature \(temperature)\n" }
    return text
  }

  /// nil where a daemon writes no such thing.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.largest, let text = String(validating: bytes, as: UTF8.self),
      text.hasSuffix("\n")
    else { return nil }
    let lines = text.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
    guard (4...5).contains(lines.count), lines[0] == Self.firstLine, lines[1].hasPrefix("sensor "),
      let bias = Self.numbers(lines[2], "bias").flatMap({ Vector3(numbers: $0) }),
      let variance = Self.numbers(lines[3], "variance"), variance.count == 1
    else { return nil }
    sensor = String(lines[1].dropFirst("sensor ".count))
    learned = LearnedBias(bias, variance: variance[0])
    guard learned.isKnown else { return nil }
    guard lines.count == 5 else { return }
    guard let temperature = Self.numbers(lines[4], "temperature"), temperature.count == 1 else { return nil }
    self.temperature = temperature[0]
  }

  /// What follows the word in a line: finite decimal numbers with a blank between two.
  private static func numbers(_ line: Substring, _ word: String) -> [Double]? {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.first == word[...] else { return nil }
    let numbers = words.dropFirst().map { text in
      text.utf8.count <= 32 && text.utf8.allSatisfy("+-.e0123456789".utf8.contains) ? Double(text) : nil
    }
    let finite = numbers.compactMap { $0 }.filter(\.isFinite)
    return finite.count == numbers.count ? finite : nil
  }
}
