import Glibc
import Linux
import Wire

/// `calibrate`: the bias is measured while the device lies still; a bar meanwhile, and a verdict.
enum CalibrateCommand {
  /// Seconds, where none are asked for.
  private static let standardDuration = 5.0
  /// How much longer than that the daemon may take, nanoseconds: for switching the sensor on, and then some.
  private static let patience: Int64 = 25_000_000_000
  private static let tick: Int64 = 200_000_000

  static func run(socket: [String], duration: Double?) throws(CommandError) {
    var connection = try SocketSearch.connect(socket)
    let before = try connection.call(Calls.getStatus, as: Status.self)
    let seconds = duration ?? standardDuration
    var progress = CalibrationProgress(seconds: seconds)
    progress.begin()
    let message: [UInt8]
    do throws(CommandError) {
      try connection.send(Calls.calibrate(seconds: seconds))
      message = try answer(&connection, seconds: seconds, &progress)
    } catch {
      progress.clear()
      throw error
    }
    progress.clear()
    let found = try read(message, before, from: connection.path)
    try StandardOutput.writeLine(CalibrationText.lines(found, before: before).joined(separator: "\n"))
  }

  private static func answer(
    _ connection: inout Connection, seconds: Double, _ progress: inout CalibrationProgress
  ) throws(CommandError) -> [UInt8] {
    let end = MonotonicClock.nanoseconds + Int64(seconds * 1e9) + patience
    while true {
      let now = MonotonicClock.nanoseconds
      guard now < end else { throw connection.silence }
      progress.show(at: now)
      let next = progress.isShown ? now + tick : end
      if case .message(let message) = try connection.next(deadline: next) { return message }
    }
  }

  private static func read(_ message: [UInt8], _ before: Status, from path: String) throws(CommandError)
    -> CalibrationResult
  {
    let found: CalibrationResult
    do {
      found = try Reply<CalibrationResult>(decoding: message).parameters
    } catch {
      switch error {
      case .service(.deviceMoved):
        throw CommandError(
          ExitCode.failure,
          "the device was moved, so nothing was measured and the bias is as it was: lay it where nothing "
            + "shakes it, leave it alone, and try again")
      case .service(.permissionDenied):
        throw ControlRight.refusal(from: path, before, user: AccountNames.user(geteuid()))
      case .service(.noSensor(let reason)):
        throw CommandError(ExitCode.failure, CalibrationText.refusal(reason, before))
      default: found = try Replies.read(message, as: CalibrationResult.self, from: path)
      }
    }
    guard found.bias.count == 3, found.noise?.count ?? 3 == 3 else { throw Replies.nonsense(from: path) }
    return found
  }
}

/// How a calibration goes, on standard error: a bar on a terminal, else one line.
struct CalibrationProgress {
  private static let width = 30

  private var line = RenewedLine()
  private let seconds: Double
  private let start = MonotonicClock.nanoseconds

  init(seconds: Double) { self.seconds = seconds }

  func begin() {
    let text = DecimalText.brief(seconds, digits: 1)
    StandardOutput.tell("Measuring for \(text) s: leave the device where it lies, and do not touch it.\n")
  }

  /// Whether it is drawn at all.
  var isShown: Bool { line.isTerminal }

  mutating func show(at now: Int64) {
    let share = Double(now - start) / 1e9 / seconds
    let bar = ProgressBar.text(share: share, width: Self.width)
    line.show("\(bar) \(Int(min(1, share) * 100)) %")
  }

  mutating func clear() { line.clear() }
}
