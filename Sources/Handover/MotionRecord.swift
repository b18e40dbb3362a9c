/// Where the pipeline stands, and what a person has switched: what the next daemon goes on from.
package struct MotionRecord: Equatable, Sendable {
  /// Index of the last update; −1 before the first.
  package var sequence: Int64 = -1
  /// Of the newest sample in it.
  package var timestampNanoseconds: Int64 = 0
  /// Points, not scaled by reduced motion.
  package var x: Double = 0
  package var y: Double = 0
  /// The tilt's state, rad.
  package var tiltX: Double = 0
  package var tiltY: Double = 0
  /// The run-time switch of reduced motion; nil: the configuration's.
  package var switchReduces: Bool?
  /// Who might see rates: what is mapped of a page cannot be taken back from those who may no more.
  package var ratePolicy: UInt64 = 0
  /// The bias that was learned, rad/s, and its variance; of the sensor whose mark that is, where it is not 0.
  package var biasX: Double = 0
  package var biasY: Double = 0
  package var biasZ: Double = 0
  package var biasVariance: Double = 1
  package var sensorMark: UInt64 = 0

  package init() {}

  /// nil where no pipeline can stand so.
  init?(_ line: HandoverLine, _ second: HandoverLine) {
    guard line.isWhole, second.isWhole else { return nil }
    sequence = Int64(bitPattern: line[0])
    timestampNanoseconds = Int64(bitPattern: line[1])
    x = Double(bitPattern: line[2])
    y = Double(bitPattern: line[3])
    guard sequence >= -1, sequence < 1 << 62, timestampNanoseconds.magnitude <= 1 << 62, x.isFinite,
      y.isFinite
    else { return nil }
    tiltX = Double(bitPattern: second[0])
    tiltY = Double(bitPattern: second[1])
    guard tiltX.isFinite, tiltY.isFinite else { return nil }
    ratePolicy = line[5]
    // Whether it is a bias at all, the pipeline checks.
    biasX = Double(bitPattern: second[2])
    biasY = Double(bitPattern: second[3])
    biasZ = Double(bitPattern: second[4])
    biasVariance = Double(bitPattern: second[5])
    sensorMark = second[6]
    switch line[4] {
    case 0: switchReduces = nil
    case 1: switchReduces = false
    case 2: switchReduces = true
    default: return nil
    }
  }

  /// Both lines whole, with their checks.
  func write(to line: HandoverLine, _ second: HandoverLine) {
    line.clear()
    line[0] = UInt64(bitPattern: sequence)
    line[1] = UInt64(bitPattern: timestampNanoseconds)
    line[2] = x.bitPattern
    line[3] = y.bitPattern
    line[4] = switchReduces.map { $0 ? 2 : 1 } ?? 0
    line[5] = ratePolicy
    line.seal()
    second.clear()
    second[0] = tiltX.bitPattern
    second[1] = tiltY.bitPattern
    second[2] = biasX.bitPattern
    second[3] = biasY.bitPattern
    second[4] = biasZ.bitPattern
    second[5] = biasVariance.bitPattern
    second[6] = sensorMark
    second.seal()
  }
}
