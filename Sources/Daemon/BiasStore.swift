import CLinux
import Glibc
import Linux
import Motion
import Sensors

/// The files in the state directory that remember each sensor's bias.
struct BiasStore {
  private let directory: String

  /// nil where no state is kept.
  init?() {
    guard let directory = StateDirectory.path else { return nil }
    self.directory = directory
  }

  /// What a sensor is known by in files and across a restart; never 0.
  static func mark(of sensor: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325  // FNV-1a
    for byte in sensor.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return max(hash, 1)
  }

  /// What is remembered of a sensor; nil where nothing is.
  ///
  /// Throws a sentence for people where there is a file that cannot be used.
  func recall(_ sensor: String) throws(BiasStoreError) -> LearnedBias? {
    let path = path(of: sensor)
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try SmallFile.contents(of: path, limit: BiasRecord.largest + 1)
    } catch {
      if error.code == ENOENT { return nil }
      throw BiasStoreError("the bias that was remembered is not used: \(error)")
    }
    guard let record = BiasRecord(bytes), record.sensor == sensor else {
      throw BiasStoreError("the bias that was remembered is not used: \(path) is damaged")
    }
    return record.learned
  }

  /// Whole or not at all: written beside it, then put in its place. Not synced to the disk: what a power cut makes of
  /// it is damaged, which is seen, or what was there before.
  func remember(_ record: BiasRecord) throws(BiasStoreError) {
    let path = path(of: record.sensor)
    let draft = "\(path).new"
    do throws(SystemError) {
      let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK
      let file = FileDescriptor(
        owning: try checked("write \(draft)") { clinux_open_mode(draft, flags, 0o600) })
      try Array(record.text.utf8).write(to: file.number, "write \(draft)")
      try checked("name \(path)") { rename(draft, path) }
    } catch {
      unlink(draft)
      throw BiasStoreError("the bias will not be remembered: \(error)")
    }
  }

  /// By a hash, since names are other people's text.
  private func path(of sensor: String) -> String {
    let digits = String(Self.mark(of: sensor), radix: 16)
    return "\(directory)/\(String(repeating: "0", count: 16 - digits.count))\(digits).bias"
  }
}

/// One sentence for people.
struct BiasStoreError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
