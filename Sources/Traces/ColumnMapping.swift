import Linux
import Motion

/// Which columns of a table are the time and the rates, and in which units, as `--columns` says it.
///
/// `t=Time_ms:ms,x=GX:deg/s,y=GY:deg/s,z=GZ:deg/s`: each of t, x, y and z once, in any order. A column is
/// named as in the header or by its number from 1; a name that holds a comma, or looks like a number, is put
/// in double quotes. Times: `ns`, `us`, `ms`, `s`, or a multiple such as `20ms` for a counter of 20 ms
/// steps. Rates: `rad/s`, `deg/s`, or `lsb=FACTOR` with rad/s per LSB. Accelerations may be named too, `ax`, `ay` and
/// `az` together: `m/s2`, `g`, or `lsb=FACTOR` with m/s² per LSB.
package struct ColumnMapping: Equatable, Sendable {
  package enum Reference: Equatable, Sendable {
    case name(String)
    /// From 1.
    case number(Int)
  }

  /// Of t, x, y, z.
  let references: [Reference]
  let time: TimeScale
  /// rad/s per unit of each rate column.
  let scale: [Double]
  /// Of ax, ay and az; nil where they are not named.
  let accelerations: Accelerations?

  struct Accelerations: Equatable, Sendable {
    var references: [Reference] = []
    /// m/s² per unit.
    var scale: [Double] = []
  }

  /// More columns than any table of a person has.
  static let maximumColumns = 4096

  static let units = "time in ns, us, ms or s; rates in rad/s, deg/s or lsb=FACTOR"

  /// π/180, rad per degree.
  static let radiansPerDegree = Double.pi / 180

  /// Reads the text of `--columns`. The error names the part that is wrong; it has no file and no line.
  package init(_ text: String) throws(TraceError) {
    var parts: [String: (reference: Reference, unit: String)] = [:]
    guard text.utf8.count <= 4096 else { throw Self.error("longer than 4096 bytes") }
    for part in Self.split(text, at: ",") {
      let (key, reference, unit) = try Self.parse(part)
      guard parts.updateValue((reference, unit), forKey: key) == nil else {
        throw Self.error("\(key) is given twice")
      }
    }
    accelerations = try Self.accelerations(parts)
    var references: [Reference] = []
    var scale: [Double] = []
    var time = TimeScale(power: 9)
    for key in ["t", "x", "y", "z"] {
      guard let part = parts[key] else { throw Self.error("\(key) is missing") }
      if let twin = references.firstIndex(of: part.reference) {
        throw Self.error("\(["t", "x", "y", "z"][twin]) and \(key) are the same column")
      }
      references.append(part.reference)
      if key == "t" {
        time = try Self.timeScale(part.unit)
      } else {
        scale.append(try Self.rateScale(part.unit, key))
      }
    }
    self.references = references
    self.time = time
    self.scale = scale
  }

  private static func accelerations(
    _ parts: [String: (reference: Reference, unit: String)]
  ) throws(TraceError) -> Accelerations? {
    var named = Accelerations()
    for key in accelerationKeys {
      guard let part = parts[key] else { continue }
      named.references.append(part.reference)
      named.scale.append(try accelerationScale(part.unit, key))
    }
    if named.references.isEmpty { return nil }
    guard named.references.count == 3 else {
      throw error("ax, ay and az go together, or none of them is named", as: ColumnSuggestion.accelerations)
    }
    return named
  }

  private static let accelerationKeys = ["ax", "ay", "az"]

  /// `x=GX:deg/s` → x, the column, its unit.
  private static func parse(_ part: String) throws(TraceError) -> (String, Reference, String) {
    let name = part.printable(limit: 60)
    guard let equals = part.firstIndex(of: "=") else {
      throw error("\"\(name)\" is not KEY=COLUMN:UNIT")
    }
    let key = trimmed(part[..<equals])
    guard (["t", "x", "y", "z"] + accelerationKeys).contains(key) else {
      throw error("\"\(key.printable(limit: 60))\" is none of t, x, y and z (and ax, ay, az)")
    }
    let value = part[part.index(after: equals)...]
    let pieces = split(String(value), at: ":")
    guard pieces.count > 1, let unit = pieces.last.map(trimmed), !unit.isEmpty else {
      guard !accelerationKeys.contains(key) else {
        throw error(
          "\(key) has no unit; accelerations in m/s2, g or lsb=FACTOR", as: ColumnSuggestion.accelerations)
      }
      throw error("\(key) has no unit; \(units)")
    }
    let column = trimmed(pieces.dropLast().joined(separator: ":"))
    if column.count >= 2, column.first == "\"", column.last == "\"" {
      return (key, .name(String(column.dropFirst().dropLast())), unit)
    }
    guard !column.isEmpty else { throw error("\(key) names no column") }
    // The mark of a comment before a header is not part of its first name.
    if column.hasPrefix("#") { return (key, .name(trimmed(column.dropFirst())), unit) }
    guard column.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
      return (key, .name(column), unit)
    }
    guard let number = Int(column), number >= 1, number <= maximumColumns else {
      throw error("\(key): column numbers are 1 to \(maximumColumns), not \(column)")
    }
    return (key, .number(number), unit)
  }

  private static func timeScale(_ unit: String) throws(TraceError) -> TimeScale {
    for (name, power) in [("ns", 0), ("us", 3), ("ms", 6), ("s", 9)] where unit.hasSuffix(name) {
      let multiple = trimmed(unit.dropLast(name.count))
      if let scale = TimeScale(multiple.isEmpty ? "1" : multiple, power: power) { return scale }
      break
    }
    throw error(
      "t: \"\(unit.printable(limit: 60))\" is none of ns, us, ms, s and a multiple such as 20ms")
  }

  private static func rateScale(_ unit: String, _ key: String) throws(TraceError) -> Double {
    switch unit {
    case "rad/s": return 1
    case "deg/s": return radiansPerDegree
    case _ where unit.hasPrefix("lsb="): return try factor(unit, key, of: "rad/s", ColumnSuggestion.example)
    default:
      let name = unit.printable(limit: 60)
      throw error("\(key): \"\(name)\" is none of rad/s, deg/s and lsb=FACTOR")
    }
  }

  /// m/s² per unit.
  private static func accelerationScale(_ unit: String, _ key: String) throws(TraceError) -> Double {
    switch unit {
    case "m/s2", "m/s²": return 1
    case "g": return AccelerationColumns.standardGravity
    case _ where unit.hasPrefix("lsb="):
      return try factor(unit, key, of: "m/s2", ColumnSuggestion.accelerations)
    default:
      throw error(
        "\(key): \"\(unit.printable(limit: 60))\" is none of m/s2, g and lsb=FACTOR",
        as: ColumnSuggestion.accelerations)
    }
  }

  /// `lsb=0.001`
  private static func factor(
    _ unit: String, _ key: String, of quantity: String, _ example: String
  ) throws(TraceError) -> Double {
    guard let factor = Number.parse(unit.dropFirst(4)), factor > 0, factor <= SensorModel.largestScale else {
      let most = Int(SensorModel.largestScale)
      throw error(
        "\(key): lsb=FACTOR needs a number above 0 and at most \(most), \(quantity) per LSB", as: example)
    }
    return factor
  }

  private static func error(_ text: String, as example: String = ColumnSuggestion.example) -> TraceError {
    TraceError("columns: \(text); as in \(example)")
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    var rest = text[...]
    while let first = rest.first, first == " " || first == "\t" { rest = rest.dropFirst() }
    while let last = rest.last, last == " " || last == "\t" { rest = rest.dropLast() }
    return String(rest)
  }

  /// Splits outside double quotes.
  private static func split(_ text: String, at separator: Character) -> [String] {
    var parts = [""]
    var isQuoted = false
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if character == separator, !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }
}
