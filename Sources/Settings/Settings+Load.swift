import CLinux
import Glibc
import Linux

/// Where settings are read from; `--set` comes on top.
package enum SettingsSource: Equatable, Sendable {
  /// `--config FILE`: this file alone.
  case file(String)
  /// `parallaxd.toml` in the system's directory where it is there, then its `parallaxd.toml.d/*.toml` in the
  /// order of their names. Later ones win.
  case system
  /// Nothing is read.
  case builtIn
}

extension Settings {
  /// The system's directory.
  package static let systemDirectory = "/etc/parallaxd"

  /// The most files that `parallaxd.toml.d` may have.
  static let maxDropIns = 64

  /// Reads and checks a configuration. `files` of the result says what was read.
  ///
  /// - Parameter overrides: `section.key=value`, applied last, in order.
  package static func load(
    source: SettingsSource, overrides: [String] = [], systemDirectory: String = Settings.systemDirectory
  ) throws(SettingsError) -> Settings {
    var draft = SettingsDraft()
    let files = try files(of: source, systemDirectory: systemDirectory)
    for file in files { try read(file, into: &draft) }
    for override in overrides { try parse(override: override, into: &draft) }
    return try draft.finished(files: files)
  }

  private static func files(of source: SettingsSource, systemDirectory: String) throws(SettingsError)
    -> [String]
  {
    switch source {
    case .builtIn: return []
    case .file(let path): return [path]
    case .system:
      let main = "\(systemDirectory)/parallaxd.toml"
      return (exists(main) ? [main] : []) + (try dropIns(in: "\(systemDirectory)/parallaxd.toml.d"))
    }
  }

  /// Whether there is something of that name; what cannot be looked at is tried, and its error reported.
  private static func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)
  }

  /// The paths of the `.toml` files in a directory, by name, bytewise; hidden ones are left out.
  static func dropIns(in directory: String) throws(SettingsError) -> [String] {
    let names: [String]
    do throws(SystemError) {
      names = try Folder.entries(of: directory).filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return [] }
      throw SettingsError("cannot be listed: \(error.reason)", at: SettingsPlace(file: directory))
    }
    guard names.count <= maxDropIns else {
      throw SettingsError(
        "more than \(maxDropIns) files", at: SettingsPlace(file: directory))
    }
    let paths = names.map { "\(directory)/\($0)" }
    return paths.filter { !isMasked($0) }
  }

  /// Whether a file is a link to /dev/null: systemd's way to switch off a drop-in of the distribution.
  private static func isMasked(_ path: String) -> Bool {
    var status = stat()
    var null = stat()
    return stat(path, &status) == 0 && stat("/dev/null", &null) == 0 && status.st_mode & S_IFMT == S_IFCHR
      && status.st_rdev == null.st_rdev
  }

  /// A file's bytes.
  static func contents(of path: String) throws(SettingsError) -> [UInt8] {
    do throws(SystemError) {
      // One more than a document may have: the parser refuses that.
      return try SmallFile.contents(of: path, limit: TOMLDocument.maxBytes + 1)
    } catch {
      throw SettingsError("cannot be read: \(error.reason)", at: SettingsPlace(file: path))
    }
  }

  /// Reads one file into `draft`: a regular file of at most 64 KiB.
  private static func read(_ path: String, into draft: inout SettingsDraft) throws(SettingsError) {
    let bytes = try contents(of: path)
    try bytes.withUnsafeBufferPointer { (bytes: UnsafeBufferPointer<UInt8>) throws(SettingsError) in
      try parse(UnsafeRawBufferPointer(bytes), fileName: path, into: &draft)
    }
  }
}

extension SystemError {
  /// `Permission denied`; a file that is no file is named as what it is.
  fileprivate var reason: String { code == EINVAL ? "not a regular file" : String(cString: strerror(code)) }
}
