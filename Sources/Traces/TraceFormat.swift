/// The kinds of recordings that are read, told apart by what is in the file.
package enum TraceFormat: String, CaseIterable, Sendable {
  case gyroflow, euroc, phyphox, sensorLogger, plain, mapped

  /// For people.
  package var name: String {
    switch self {
    case .gyroflow: "Gyroflow .gcsv"
    case .euroc: "EuRoC data.csv"
    case .phyphox: "phyphox"
    case .sensorLogger: "Sensor Logger"
    case .plain: "plain CSV"
    case .mapped: "table with an explicit mapping of columns"
    }
  }
}

/// A table that is recognised by the names in its header; every name must be there exactly once, in any
/// order and among any others. The names carry the units, or the program that writes them is known to.
struct KnownTable {
  let format: TraceFormat
  /// Of t, x, y and z.
  let names: [String]
  /// Of ax, ay and az in m/s², where such tables may have them.
  var accelerations: [String]?
  /// Another name that tells the format from its neighbours.
  var mark: String?
  /// The time is in units of 10^power ns.
  let power: Int

  /// All in rad/s. The leading `#` of EuRoC's header is not part of a name.
  static let all = [
    KnownTable(
      format: .euroc,
      names: [
        "timestamp [ns]", "w_RS_S_x [rad s^-1]", "w_RS_S_y [rad s^-1]", "w_RS_S_z [rad s^-1]",
      ], accelerations: ["a_RS_S_x [m s^-2]", "a_RS_S_y [m s^-2]", "a_RS_S_z [m s^-2]"], power: 0),
    KnownTable(
      format: .phyphox,
      names: ["Time (s)", "Gyroscope x (rad/s)", "Gyroscope y (rad/s)", "Gyroscope z (rad/s)"], power: 9),
    // `time` is nanoseconds since the epoch, `seconds_elapsed` a rounded Double beside it.
    KnownTable(
      format: .sensorLogger, names: ["time", "x", "y", "z"], mark: "seconds_elapsed", power: 0),
    KnownTable(
      format: .plain, names: ["timestamp_ns", "x", "y", "z"], accelerations: ["ax", "ay", "az"], power: 0),
    KnownTable(format: .plain, names: ["t", "x", "y", "z"], accelerations: ["ax", "ay", "az"], power: 9),
  ]
}
