import Linux
import Motion

/// What a .gcsv that `parallaxctl record` wrote says of its sensor beyond the keys of every .gcsv.
///
/// Its keys begin with `parallaxd_`, so that no other program's mean something else: `scale`, `offset`, `bias`
/// (three numbers each), `matrix` (nine, by rows), `no_data` and `bias_variance` (a number each), `name`, `label`,
/// `path`, `clock`, `note` (texts). Numbers are written as the shortest text that reads back to the same double.
package struct RecordedSensor: Equatable, Sendable {
  package var name: String?
  package var label: String?
  package var path: String?
  package var clock: String?
  /// What a reader of the recording must know.
  package var note: String?
  /// rad/s in the sensor's own frame, of the daemon that recorded.
  package var bias = Vector3.zero
  /// How much was known of the bias when the recording was begun, (rad/s)²; nil where it was not estimated.
  package var biasVariance: Double?

  /// What was done about the bias.
  package var recordedBias: RecordedBias {
    biasVariance.map { .estimated(LearnedBias(bias, variance: $0)) } ?? .fixed(bias)
  }

  package init() {}

  /// What the keys begin with.
  static let prefix = "parallaxd_"
  /// Characters of a text that is kept.
  static let textLimit = 256
}

/// The rows of a header that are `RecordedSensor`'s, checked as they come.
struct RecordedKeys {
  private var sensor = RecordedSensor()
  private var numbers: [String: [Double]] = [:]
  private var seen: Set<String> = []

  /// Numbers and their bounds, inclusive.
  private static let known: [String: (count: Int, limit: Double)] = [
    "scale": (3, SensorModel.largestScale), "offset": (3, SensorModel.largestOffset), "bias": (3, 100),
    "matrix": (9, SensorModel.largestMatrixEntry), "no_data": (1, 1e15),
    "bias_variance": (1, 1e6),
  ]

  /// Takes a row of the header; one that is another program's, or a later version's, is passed over.
  mutating func take(_ fields: HeaderFields) throws(TraceError) {
    guard fields.names[0].hasPrefix(RecordedSensor.prefix) else { return }
    let key = String(fields.names[0].dropFirst(RecordedSensor.prefix.count))
    let values = Array(fields.names.dropFirst())
    guard ["name", "label", "path", "clock", "note"].contains(key) || Self.known[key] != nil else { return }
    guard seen.insert(key).inserted else {
      throw TraceError(line: fields.line, "\(fields.names[0]) is given twice")
    }
    if let (count, limit) = Self.known[key] {
      let read = values.compactMap { Number.parse($0) }
      guard read.count == values.count, read.count == count, read.allSatisfy({ $0.magnitude <= limit })
      else {
        let what = count == 1 ? "a number" : "\(count) numbers"
        throw TraceError(
          line: fields.line,
          "\(fields.names[0]): expected \(what) within ±\(Int(limit)), found "
            + TraceError.quoted(values.joined(separator: ",").utf8))
      }
      numbers[key] = read
      return
    }
    let text = (values.first ?? "").printable(limit: RecordedSensor.textLimit)
    switch key {
    case "name": sensor.name = text
    case "label": sensor.label = text
    case "path": sensor.path = text
    case "clock": sensor.clock = text
    default: sensor.note = text
    }
  }

  /// Puts what was found over what the other keys of the header said.
  func apply(to layout: inout TraceLayout) throws(TraceError) {
    guard !seen.isEmpty else { return }
    func vector(_ key: String) -> Vector3? { numbers[key].flatMap { Vector3(numbers: $0) } }
    if let scale = vector("scale") {
      guard scale.x != 0, scale.y != 0, scale.z != 0 else {
        throw TraceError("\(RecordedSensor.prefix)scale: 0 makes every value 0; write rad/s per unit there")
      }
      layout.model.scale = scale
    }
    if let offset = vector("offset") { layout.model.offset = offset }
    if let matrix = numbers["matrix"].flatMap({ Matrix3(numbers: $0) }) {
      layout.model.mountMatrix = matrix
      layout.hasOrientation = true
    }
    if let mark = numbers["no_data"] { layout.model.noDataMark = mark[0] }
    var sensor = sensor
    if let bias = vector("bias") { sensor.bias = bias }
    sensor.biasVariance = numbers["bias_variance"]?[0]
    layout.recordedSensor = sensor
  }
}
