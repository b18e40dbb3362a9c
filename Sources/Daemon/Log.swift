import CLinux
import CSystemd
import Glibc
import Linux
import Settings

/// The daemon's log: structured entries where standard error is the journal, plain lines elsewhere.
///
/// Used from the loop's thread, and never on the per-sample path.
package final class Log {
  /// Entries below it are not written.
  package var level: LogSettings.Level

  private let toJournal: Bool

  package init(level: LogSettings.Level) {
    self.level = level
    toJournal = Log.standardErrorIsJournal()
  }

  package func error(_ message: String, _ fields: [(String, String)] = []) { write(.error, message, fields) }
  package func warning(_ message: String, _ fields: [(String, String)] = []) {
    write(.warning, message, fields)
  }
  package func info(_ message: String, _ fields: [(String, String)] = []) { write(.info, message, fields) }
  package func debug(_ message: String, _ fields: [(String, String)] = []) { write(.debug, message, fields) }

  /// - Parameter fields: journal fields beside MESSAGE and PRIORITY; names in capitals.
  private func write(_ level: LogSettings.Level, _ message: String, _ fields: [(String, String)]) {
    guard level.priority <= self.level.priority else { return }
    guard toJournal else { return complain(message) }
    sendToJournal(
      [("MESSAGE", message.printable(limit: 2000)), ("PRIORITY", String(level.priority))] + fields)
  }

  private func sendToJournal(_ fields: [(String, String)]) {
    let entries = fields.map { Array("\($0.0)=\($0.1)".utf8) }
    let total = entries.reduce(0) { $0 + $1.count }
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: max(total, 1), alignment: 1)
    defer { bytes.deallocate() }
    var vectors: [iovec] = []
    var offset = 0
    for entry in entries {
      let target = UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<(offset + entry.count)])
      target.copyBytes(from: entry)
      vectors.append(iovec(iov_base: target.baseAddress, iov_len: entry.count))
      offset += entry.count
    }
    sd_journal_sendv(vectors, Int32(vectors.count))
  }

  /// JOURNAL_STREAM names the device and inode of the stream that systemd connected (systemd.exec(5)).
  private static func standardErrorIsJournal() -> Bool {
    guard let stream = getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0 else { return false }
    return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }
}

extension LogSettings.Level {
  /// As syslog(3) counts.
  fileprivate var priority: Int32 {
    switch self {
    case .error: LOG_ERR
    case .warning: LOG_WARNING
    case .info: LOG_INFO
    case .debug: LOG_DEBUG
    }
  }
}

/// Says a line on standard error; what cannot be written is lost. Names of devices and files are other people's
/// text: whatever is in them, it stays one line.
package func complain(_ message: String) {
  // At most PIPE_BUF bytes: a pipe takes them whole or not at all.
  let bytes = Array("parallaxd: \(message.printable(limit: 1000))\n".utf8)
  // A pipe that nobody reads, or a terminal that was stopped, must not stop the daemon.
  var target = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
  guard poll(&target, 1, 0) == 1, target.revents & Int16(POLLOUT) != 0 else { return }
  _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
}
