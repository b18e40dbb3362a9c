import Glibc
import Linux
import Motion
import Wire

/// `doctor --axes`: three turns by hand, and the line that makes them come out right.
///
/// By the daemon's rates, from which `axes` and the screen's rotation in force are undone: so it takes no more
/// than the right to see rates, and the answer does not depend on what is configured.
struct AxesCommand: ~Copyable {
  private let socket: [String]
  private var connection: Connection
  private var stream: EventStream
  private let frame: FrameOfSensor
  /// The sensor's name to the system.
  private let sensor: String?
  /// Bytes of standard input that are not taken yet.
  private var typed: [UInt8] = []

  /// Nanoseconds in which the sensor must run, and in which what was on its way when a key came has come.
  private static let patience: Int64 = 10_000_000_000
  private static let drain: Int64 = 300_000_000
  /// Nanoseconds without an event after which the daemon is asked why.
  private static let silence: Int64 = 5_000_000_000
  /// Attempts at one turn.
  private static let attempts = 4
  /// Events before a turn that say what rest is.
  private static let restEvents = 100

  static func run(socket: [String]) throws(CommandError) {
    var connection = try SocketSearch.connect(socket)
    var stream = EventStream(hasRates: true)
    try waitForRates(&connection, &stream, socket)
    let status = try status(socket)
    guard let frame = FrameOfSensor(status) else {
      throw CommandError(ExitCode.failure, "the daemon does not say how its sensor is mounted")
    }
    var command = AxesCommand(socket, connection, stream, frame, sensor: status.sensor.id)
    try command.ask()
  }

  private init(
    _ socket: [String], _ connection: consuming Connection, _ stream: EventStream, _ frame: FrameOfSensor,
    sensor: String?
  ) {
    self.socket = socket
    self.connection = connection
    self.stream = stream
    self.frame = frame
    self.sensor = sensor
  }

  /// Does not wait for ever.
  private static func status(_ socket: [String]) throws(CommandError) -> Status {
    var control = try SocketSearch.connect(socket)
    return try control.call(Calls.getStatus, as: Status.self)
  }

  private static func waitForRates(
    _ connection: inout Connection, _ stream: inout EventStream, _ socket: [String]
  ) throws(CommandError) {
    try connection.send(stream.call)
    let deadline = MonotonicClock.nanoseconds + patience
    while MonotonicClock.nanoseconds < deadline,
      case .message(let message) = try connection.next(deadline: deadline)
    {
      let event = try stream.event(message, &connection)
      guard stream.hasRates else {
        throw CommandError(
          ExitCode.refused,
          "--axes needs the right to see rates: root, the daemon's user, the control group, or "
            + "server.allow_rate = true")
      }
      if event?.rate != nil, event?.state == .running { return }
    }
    let status = try status(socket)
    throw CommandError(
      ExitCode.failure,
      "no rates come (\(status.state.rawValue): \(status.text)); `parallaxctl doctor` looks why")
  }

  private mutating func ask() throws(CommandError) {
    say("Hold the device as you use it, the screen towards you. Three turns of about 45 degrees follow.")
    var turns = AxisTurns()
    var attempt = 0
    while turns.axes == nil {
      let number = turns.next
      say("\n\(number + 1) of 3: press Enter, \(AxisTurns.requests[number]), and press Enter again.")
      let rest = try restRate()
      say("Now.")
      let angle = try turn(rest: rest)
      guard let objection = turns.take(angle) else {
        attempt = 0
        continue
      }
      attempt += 1
      guard attempt < Self.attempts else {
        throw CommandError(ExitCode.failure, "\(objection): given up after \(attempt) attempts")
      }
      say("Not taken: \(objection). Once more.")
    }
    say("\nIn [sensor] of /etc/parallaxd/parallaxd.toml, then `sudo systemctl reload parallaxd`:")
    try StandardOutput.writeLine("axes = \"\(turns.axes ?? "")\"")
    if turns.isMirrored {
      say(
        "This is a mirror image. It is right where the sensor's driver mirrors an axis; else one of the turns "
          + "went the wrong way: try again.")
    }
  }

  /// Until Enter; what the device showed meanwhile if it lay still, else nothing.
  private mutating func restRate() throws(CommandError) -> Vector3 {
    var events: [MotionEvent] = []
    try untilEnter { event in
      events.append(event)
      if events.count > Self.restEvents { events.removeFirst() }
    }
    let seen = StreamFacts(events)
    guard seen.hasRates, seen.events >= 10, !seen.wasMoved else { return .zero }
    return frame.beforeAxes(seen.mean)
  }

  /// Until Enter; the angle meanwhile.
  private mutating func turn(rest: Vector3) throws(CommandError) -> Vector3 {
    var angle = TurnAngle(rest: rest)
    let frame = frame
    try untilEnter { event in
      guard event.state == .running, let rate = event.rate else { return }
      angle.add(
        frame.beforeAxes(Vector3(rate.x, rate.y, rate.z)), at: event.timestampNanoseconds, isGap: event.gap)
    }
    return angle.angle
  }

  /// Whether what was seen so far still counts: throws where the daemon hangs, reads no sensor any more, or
  /// reads it in another way, since then the turns do not belong together.
  private func look() throws(CommandError) {
    let status = try Self.status(socket)
    guard status.state == .running else {
      throw CommandError(
        ExitCode.failure,
        "the sensor does not run any more (\(status.state.rawValue): \(status.text.printable())); start --axes "
          + "again when it does")
    }
    guard status.sensor.id == sensor, let now = FrameOfSensor(status), now.isMounted(as: frame) else {
      throw CommandError(
        ExitCode.failure,
        "the sensor or its settings (axes, screen_rotation, mount_matrix) have changed meanwhile: start --axes "
          + "again")
    }
  }

  /// Hands on events until Enter has been pressed, and those that were on their way then.
  private mutating func untilEnter(_ take: (MotionEvent) -> Void) throws(CommandError) {
    var end: Int64?
    var heard = MonotonicClock.nanoseconds
    while true {
      if end == nil, takeLine() { end = MonotonicClock.nanoseconds + Self.drain }
      let others = end == nil ? [STDIN_FILENO] : []
      switch try connection.next(deadline: end ?? heard + Self.silence, others: others) {
      case .message(let message):
        heard = MonotonicClock.nanoseconds
        if let event = try stream.event(message, &connection) {
          if event.gap || event.state != .running { try look() }
          take(event)
        }
        // Where we are slower than the sensor there is always another one.
        guard let end, heard >= end + Self.patience else { break }
        return try look()
      case .deadline:
        try look()
        if end != nil { return }
        heard = MonotonicClock.nanoseconds
      case .other: try read()
      }
    }
  }

  private mutating func takeLine() -> Bool {
    guard let end = typed.firstIndex(of: UInt8(ascii: "\n")) else { return false }
    typed.removeSubrange(...end)
    return true
  }

  private mutating func read() throws(CommandError) {
    var piece = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(STDIN_FILENO, &piece, piece.count)
    guard count > 0 else {
      throw CommandError(ExitCode.failure, "--axes asks for Enter, and standard input has ended")
    }
    // Of a line that never ends only that it has not is of interest.
    typed = typed.suffix(256) + piece[..<count]
  }

  private func say(_ text: String) { StandardOutput.tell(text + "\n") }
}
