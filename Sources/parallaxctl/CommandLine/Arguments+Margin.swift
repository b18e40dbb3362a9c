import Linux
import Scene
import Settings

extension Arguments {
  /// The options of `margin`.
  static func margin(_ parsed: ParsedArguments) throws(UsageError) -> MarginCommand.Options {
    var options = MarginCommand.Options()
    options.config = parsed.value(of: "config")
    options.overrides = parsed.options.filter { $0.name == "set" }.map(\.value)
    for word in options.overrides {
      if let fault = Settings.fault(inOverride: word) { throw UsageError(fault) }
    }
    options.scene = try scene(parsed)
    if let text = parsed.value(of: "layers") {
      guard let count = Int(text), (0...SceneBounds.layers).contains(count) else {
        throw UsageError("--layers is 0 to \(SceneBounds.layers), not \(text.shownAsWord)")
      }
      options.layers = count
    }
    options.front = parsed.has("front")
    options.distanceFactor = try number(parsed, "distance-factor", in: SceneBounds.factor)
    options.bounds = try parsed.value(of: "bounds").map(size)
    options.limit = try number(parsed, "limit", in: 1e-9...1e9)
    options.swing = try number(parsed, "swing", in: 0.1...360) ?? options.swing
    return options
  }

  /// The word after `--scene`.
  static func scene(_ parsed: ParsedArguments) throws(UsageError) -> String? {
    let word = parsed.value(of: "scene")
    if word == "" { throw UsageError("--scene needs a file, or the name of a scene") }
    return word
  }

  private static func number(
    _ parsed: ParsedArguments, _ name: String, in range: ClosedRange<Double>
  ) throws(UsageError) -> Double? {
    guard let text = parsed.value(of: name) else { return nil }
    guard let number = Double(text), range.contains(number) else {
      throw UsageError(
        "--\(name) is a number from \(DecimalText.plain(range.lowerBound)) to "
          + "\(DecimalText.plain(range.upperBound)), not \(text.shownAsWord)")
    }
    return number
  }

  private static func size(_ text: String) throws(UsageError) -> SceneDescription.Size {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).compactMap { Double($0) }
    guard sides.count == 2, sides.allSatisfy(SceneBounds.size.contains) else {
      throw UsageError("--bounds is WIDTHxHEIGHT in points, such as 390x844, not \(text.shownAsWord)")
    }
    return SceneDescription.Size(width: sides[0], height: sides[1])
  }
}
