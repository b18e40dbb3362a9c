import Linux
/// doctor
enum DoctorCommand {
  struct Options: Equatable, Sendable {
    var report: String?
    var wantsAxes = false
  }
  static func run(socket: [String], _ options: Options) throws(CommandError) {}
}
