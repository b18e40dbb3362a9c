/// Where a gyroscope sits on a machine of several parts, as far as its label and location tell. Pure.
///
/// The kernel documents `<sensor>-display` and `<sensor>-base` as labels (sysfs-bus-iio); Chromebooks label
/// gyroscopes `accel-display` too, and their older drivers have a `location` of `lid`, `base` or `camera`.
/// Any other label is other people's text: whole words are looked for.
package enum GyroscopePlace: Int, Comparable, Sendable {
  /// In the half that is looked at.
  case display
  case unknown
  /// In the base, the keyboard, a controller or the like.
  case elsewhere

  private static let displayWords: Set<String> = ["display", "lid", "screen", "panel"]
  private static let otherWords: Set<String> = [
    "base", "keyboard", "palmrest", "lap", "dock", "camera", "controller", "gamepad", "joystick", "left",
    "right", "pen", "stylus",
  ]

  /// By the label; where that says nothing, by the location.
  package init(label: String?, location: String?) {
    let places = [label, location].lazy.map(Self.init(text:))
    self = places.first { $0 != .unknown } ?? .unknown
  }

  private init(text: String?) {
    let words = (text ?? "").lowercased().split { !$0.isLetter }.map(String.init)
    self =
      words.contains(where: Self.displayWords.contains)
      ? .display : words.contains(where: Self.otherWords.contains) ? .elsewhere : .unknown
  }

  package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
