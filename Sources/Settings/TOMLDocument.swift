import CToml

/// A value as a TOML document gives it, before anything knows which setting it is for.
package enum TOMLValue: Equatable, Sendable {
  case table
  case text(String)
  case integer(Int64)
  case number(Double)
  case boolean(Bool)
  case numbers([Double])
  /// Dates, times, arrays of other things: no setting takes them.
  case other

  /// `a string`, as a message calls it.
  var typeName: String {
    switch self {
    case .table: "a table"
    case .text: "a string"
    case .integer: "an integer"
    case .number: "a number"
    case .boolean: "true or false"
    case .numbers: "an array"
    case .other: "a date, a time or a mixed array"
    }
  }
}

/// One `key = value` of a document.
package struct TOMLEntry: Equatable, Sendable {
  /// `section.key`; a part that is no bare key keeps its quotes.
  package var key: String
  package var value: TOMLValue
  package var keyPlace: SettingsPlace
  package var valuePlace: SettingsPlace
}

/// Reads TOML: bytes in, entries in their order out. Pure.
package enum TOMLDocument {
  /// Bytes that a document may have.
  package static let maxBytes = Int(CTOML_MAX_BYTES)

  /// - Parameters:
  ///   - fileName: for places only; nothing is opened.
  ///   - arrays: whether arrays of other things than numbers are followed by their elements, as `name[0]` and so on.
  package static func parse(
    _ bytes: UnsafeRawBufferPointer, fileName: String, arrays: Bool = false
  ) throws(SettingsError) -> [TOMLEntry] {
    var failure = ctoml_error()
    guard
      let document = ctoml_parse(
        bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, arrays ? 1 : 0, &failure)
    else {
      let message = withUnsafeBytes(of: failure.message) { string($0.prefix { $0 != 0 }) }
      throw SettingsError(
        "not TOML: \(message)",
        at: SettingsPlace(file: fileName, line: Int(failure.line), column: Int(failure.column)))
    }
    defer { ctoml_free(document) }
    return (0..<ctoml_count(document)).map { index in
      entry(ctoml_entry_at(document, index).pointee, fileName: fileName)
    }
  }

  private static func entry(_ entry: ctoml_entry, fileName: String) -> TOMLEntry {
    TOMLEntry(
      key: string(UnsafeRawBufferPointer(start: entry.key, count: entry.key_length)),
      value: value(of: entry),
      keyPlace: SettingsPlace(file: fileName, line: Int(entry.key_line), column: Int(entry.key_column)),
      valuePlace: SettingsPlace(file: fileName, line: Int(entry.value_line), column: Int(entry.value_column)))
  }

  private static func value(of entry: ctoml_entry) -> TOMLValue {
    switch entry.kind {
    case CTOML_TABLE: .table
    case CTOML_STRING: .text(string(UnsafeRawBufferPointer(start: entry.text, count: entry.text_length)))
    case CTOML_INTEGER: .integer(entry.integer)
    case CTOML_FLOAT: .number(entry.number)
    case CTOML_BOOLEAN: .boolean(entry.boolean != 0)
    case CTOML_NUMBERS: .numbers(Array(UnsafeBufferPointer(start: entry.numbers, count: entry.number_count)))
    default: .other
    }
  }

  private static func string(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
