import Linux
import Motion

/// What went through `process`, in a line for who watches: a time read in a wrong unit shows in it.
struct ProcessSummary: Equatable, Sendable {
  private(set) var rows: Int64 = 0
  private var first: Int64 = 0
  private var last: Int64 = 0
  /// Of the pipeline, at the end.
  var counters = Pipeline.Counters()

  /// Takes a row; in the order of the file.
  mutating func take(_ row: RawSample) {
    if rows == 0 { first = row.timestampNanoseconds }
    last = row.timestampNanoseconds
    rows += 1
  }

  /// `1039 rows in 10.42 s (99.6 Hz), 347 updates, 1 gap`
  var text: String { text(seconds: (Double(last) - Double(first)) / 1e9) }

  /// The same where the time is known otherwise.
  ///
  /// - Parameter isPart: whether there were more rows, which were not read.
  func text(seconds: Double, isPart: Bool = false) -> String {
    let part = isPart ? "the first " : ""
    var text = "\(rows.counted("row")) in \(part)\(DecimalText.fixed(seconds, digits: 2)) s"
    if seconds > 0, rows > 1 {
      text += " (\(DecimalText.fixed(Double(rows - 1) / seconds, digits: 1)) Hz)"
    }
    text += ", \(counters.updates.counted("update")), \(counters.gaps.counted("gap"))"
    if counters.outOfOrder > 0 { text += ", \(counters.outOfOrder) out of order" }
    if counters.clockSteps > 0 { text += ", \(counters.clockSteps.counted("clock step"))" }
    if counters.invalid > 0 { text += ", \(counters.invalid) invalid" }
    return text
  }
}
