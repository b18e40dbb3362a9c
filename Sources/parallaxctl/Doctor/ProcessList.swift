import Glibc
import Linux

/// The processes of the machine, as far as `doctor` cares: who may read sensors, and who has a device open.
struct ProcessList {
  private let ids: [Int32]

  /// Programs that read motion sensors, as /proc/PID/comm has them: cut to 15 bytes.
  private static let known: Set<String> = [
    "iio-sensor-prox", "inputplumber", "hhd", "steam", "wluma", "iiod", "iio_readdev", "SteamDeckGyroDS",
    "opentrack", "monitor-sensor",
  ]
  private static let idLimit = 100_000
  /// Descriptors of one process.
  private static let descriptorLimit = 4096

  init() { ids = PrintableFiles.entries("/proc").compactMap { Int32($0) }.prefix(Self.idLimit).sorted() }

  var readers: [MachineFacts.Process] {
    ids.compactMap { id in
      let name = Self.name(of: id)
      return Self.known.contains(name) ? MachineFacts.Process(id: id, name: name) : nil
    }
  }

  /// Who has the device node open; all of it only for root.
  func holders(of node: String) -> [MachineFacts.Process] {
    var wanted = stat()
    guard stat(node, &wanted) == 0 else { return [] }
    let end = "/" + (node.split(separator: "/").last.map(String.init) ?? node)
    return ids.compactMap { id in
      Self.holds(id, wanted, end) ? MachineFacts.Process(id: id, name: Self.name(of: id)) : nil
    }
  }

  private static func holds(_ id: Int32, _ wanted: stat, _ end: String) -> Bool {
    let folder = "/proc/\(id)/fd"
    for descriptor in PrintableFiles.entries(folder).prefix(descriptorLimit) {
      var target = [CChar](repeating: 0, count: 512)
      let path = "\(folder)/\(descriptor)"
      let count = readlink(path, &target, target.count - 1)
      guard count > 0 else { continue }
      let name = String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      // The name first: it costs nothing. The process may see the node in another place.
      guard name.hasSuffix(end) else { continue }
      var about = stat()
      guard stat(path, &about) == 0, about.st_mode & S_IFMT == wanted.st_mode & S_IFMT else { continue }
      let isDevice = wanted.st_mode & S_IFMT == S_IFCHR
      let isSame =
        isDevice
        ? about.st_rdev == wanted.st_rdev : about.st_dev == wanted.st_dev && about.st_ino == wanted.st_ino
      if isSame { return true }
    }
    return false
  }

  private static func name(of id: Int32) -> String { PrintableFiles.text("/proc/\(id)/comm") ?? "" }
}
