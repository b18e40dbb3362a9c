/// Which of a machine's triggers the driver of a device made for it. Pure.
///
/// Most drivers name it `<name>-devN`, but not all: `bmi323-imu-trig-1`, `lis3dh-trigger`. It then belongs to
/// the same part as the device.
enum OwnTrigger {
  struct Candidate: Equatable {
    var name: String?
    /// Of the part that it belongs to, in the tree of the hardware; nil where it belongs to none.
    var folder: String?
  }

  /// Index into the candidates; nil where none of them is the device's.
  ///
  /// - Parameters:
  ///   - id: `iio:device3`
  ///   - folder: of the part that the device belongs to.
  static func index(among candidates: [Candidate], id: String, name: String?, folder: String?) -> Int? {
    let number = String(id.drop { !$0.isNumber })
    if let name, let index = candidates.firstIndex(where: { $0.name == "\(name)-dev\(number)" }) {
      return index
    }
    if let folder {
      let same = candidates.indices.filter { candidates[$0].folder == folder && isClock(candidates[$0]) }
      let named = same.first { one in name.map { candidates[one].name?.hasPrefix($0) ?? false } ?? false }
      if let index = named ?? same.first { return index }
    }
    guard let name, !name.isEmpty else { return nil }
    // Of another machine's devices the hardware is not known: by both the name and the number.
    return candidates.firstIndex {
      $0.folder == nil && isClock($0) && ($0.name?.hasPrefix("\(name)-") ?? false)
        && $0.name?.split(separator: "-").last.map { $0 == number || $0 == "dev\(number)" } ?? false
    }
  }

  /// Not one that fires only when the device is moved: `bmg160-any-motion-dev0`.
  private static func isClock(_ one: Candidate) -> Bool { one.name?.contains("motion") != true }
}
