import Linux

/// What systemd says of a unit.
struct UnitState: Equatable, Sendable {
  /// `loaded`, `not-found`, …
  var load = ""
  /// `active`, `inactive`, `failed`, …
  var active = ""
  /// `enabled`, `disabled`, …
  var file = ""
  /// `success`, `exit-code`, `watchdog`, …
  var result = ""

  /// Reads the blocks of `systemctl show --property=Id,LoadState,ActiveState,UnitFileState,Result`.
  static func parse(_ text: String) -> [String: UnitState] {
    var units: [String: UnitState] = [:]
    var name = ""
    var unit = UnitState()
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines + [Substring()] {
      guard let equals = line.firstIndex(of: "=") else {
        if !name.isEmpty { units[name] = unit }
        name = ""
        unit = UnitState()
        continue
      }
      let value = String(line[line.index(after: equals)...]).printable(limit: 80)
      switch line[..<equals] {
      case "Id": name = value
      case "LoadState": unit.load = value
      case "ActiveState": unit.active = value
      case "UnitFileState": unit.file = value
      case "Result": unit.result = value
      default: break
      }
    }
    return units
  }
}
