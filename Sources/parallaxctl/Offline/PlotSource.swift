import Linux
import Motion
import Plot
import Settings
import Traces

/// Whose rates a picture shows.
struct PlotSource {
  let title: String
  let isSynthetic: Bool
  /// Format, device and the like.
  let texts: [String]

  /// Sections whose settings a picture follows from.
  private static let sections: Set<Substring> = ["motion", "sensor", "calibration", "accessibility"]

  init(title: String, isSynthetic: Bool, texts: [String]) {
    self.title = title
    self.isSynthetic = isSynthetic
    self.texts = texts
  }

  init(path: String, layout: TraceLayout) {
    let recorded = layout.recordedSensor
    var name = [recorded?.name, recorded?.label].compactMap(\.self).filter { !$0.isEmpty }
    if name.isEmpty, let device = layout.deviceName { name = [device] }
    self.init(
      title: path.split(separator: "/").last.map(String.init) ?? path,
      isSynthetic: recorded?.name == Demonstration.name,
      texts: [layout.format.name] + (name.isEmpty ? [] : [name.joined(separator: ", ")])
        + [recorded?.note].compactMap(\.self))
  }

  /// What is written above the curves.
  func facts(_ plotting: Plotting, settings: Settings, window: ClosedRange<Double>) -> PlotFacts {
    let counters = plotting.summary.counters
    // A clock that was set back does not turn the picture's time back.
    var numbers = plotting.summary.text(
      seconds: plotting.record.time, isPart: plotting.record.isComplete)
    if window.lowerBound > 0 || window.upperBound.isFinite, !isSynthetic || window.lowerBound > 0 {
      let end = min(window.upperBound, plotting.record.time)
      numbers += "; shown: \(Self.seconds(window.lowerBound)) to \(Self.seconds(end)) s"
    }
    return PlotFacts(
      title: title, isSynthetic: isSynthetic,
      lines: [(texts + [numbers]).joined(separator: " · "), Self.text(of: settings)],
      threshold: plotting.settings.threshold, limit: plotting.settings.limit,
      outOfOrder: counters.outOfOrder, invalid: counters.invalid)
  }

  /// `motion.threshold = 0.05, motion.limit = 60`
  private static func text(of settings: Settings) -> String {
    let changed = zip(settings.inForce, Settings().inForce).filter { $0.value != $1.value }.map(\.0)
      .filter { sections.contains($0.name.prefix { $0 != "." }) }
    if changed.isEmpty { return "default settings" }
    return changed.map { "\($0.name) = \($0.value)" }.joined(separator: ", ")
  }

  private static func seconds(_ seconds: Double) -> String { DecimalText.brief(seconds, digits: 3) }
}
