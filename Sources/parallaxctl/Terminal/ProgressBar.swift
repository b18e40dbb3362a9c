/// A bar of long work, in ASCII.
enum ProgressBar {
  /// `[######........................]`
  ///
  /// - Parameters:
  ///   - share: of the work that is done, 0 to 1.
  ///   - width: characters between the brackets.
  static func text(share: Double, width: Int) -> String {
    let full = Int(min(1, max(0, share)) * Double(width))
    return "[" + String(repeating: "#", count: full) + String(repeating: ".", count: width - full) + "]"
  }
}
