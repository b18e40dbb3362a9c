import CLinux
import Glibc
import Linux

/// What systemd says of units, by its own client.
enum Systemctl {
  private static let patience: Int64 = 5_000_000_000
  private static let outputLimit = 65_536

  /// By name; nil where there is no systemd, or it does not answer in time.
  static func show(_ units: [String]) -> [String: UnitState]? {
    // Where systemd runs, this folder is there (sd_booted(3)).
    guard PrintableFiles.exists("/run/systemd/system") else { return nil }
    let words =
      ["systemctl", "show", "--property=Id,LoadState,ActiveState,UnitFileState,Result", "--"] + units
    return output(words).map { UnitState.parse($0) }
  }

  /// Runs a program of the PATH; what it prints, or nil where it fails or takes too long.
  private static func output(_ words: [String]) -> String? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    let reading = FileDescriptor(owning: ends[0])
    let process = start(words, output: ends[1], closing: ends[0])
    close(ends[1])
    guard let process else { return nil }
    let text = collect(from: reading)
    if text == nil { kill(process, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status == 0 ? text : nil
  }

  private static func start(_ words: [String], output: Int32, closing other: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addclose(&actions, other)
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    return posix_spawnp(&process, words[0], &actions, nil, &arguments, environ) == 0 ? process : nil
  }

  private static func collect(from descriptor: borrowing FileDescriptor) -> String? {
    let end = MonotonicClock.nanoseconds + patience
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while bytes.count < outputLimit {
      let left = (end - MonotonicClock.nanoseconds) / 1_000_000
      guard left > 0 else { return nil }
      var watched = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
      guard poll(&watched, 1, Int32(left)) > 0 else { continue }
      let count = read(descriptor.number, &piece, piece.count)
      guard count > 0 else { return count == 0 ? String(decoding: bytes, as: UTF8.self) : nil }
      bytes += piece[..<count]
    }
    return nil
  }
}
