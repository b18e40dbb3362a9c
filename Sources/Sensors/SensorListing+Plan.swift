import IIO
import Settings

// How a gyroscope would be read: what `SensorSession` would do, without doing it.
extension SensorListing {
  /// The ways that would be tried, in their order.
  static func plan(for gyroscope: Gyroscope, among devices: [Device], _ settings: Settings) -> String {
    let configuration = IIOConfiguration(sensor: settings.sensor, motion: settings.motion)
    let polled = gyroscope.canBePolled ? ["polled"] : []
    switch settings.sensor.mode {
    case .poll: return "polled, as `mode` in [sensor] says"
    case .auto where gyroscope.isPolledForAutoRotation(configuration): return AutoRotation.reason
    case .auto, .buffer: break
    }
    let rest = settings.sensor.mode == .auto ? polled : []
    do throws(SensorFailure) {
      _ = try gyroscope.checkBuffer()
      let starts = try gyroscope.scanStarts(among: devices)
      let ways = starts.order.filter { $0 != .hrtimer || HrtimerTrigger.obstacle == nil }
        .map { "its buffer by \(way(of: $0, starts))" }
      return (ways + rest).isEmpty
        ? "not at all: it has no trigger" : (ways + rest).joined(separator: ", else ")
    } catch {
      return rest.isEmpty ? "not at all: \(error.text)" : "polled: \(error.text)"
    }
  }

  /// What would start the scans.
  static func way(of start: ScanStart, _ starts: Gyroscope.ScanStarts) -> String {
    switch start {
    case .fifo: starts.fifo?.title ?? start.title
    case .driver: "its driver alone, without a trigger"
    case .current: "the trigger \(starts.current?.name ?? "set")"
    case .own: "its own trigger \(starts.own?.name ?? starts.own?.id ?? "")"
    case .hrtimer: "an hrtimer trigger that is made for it"
    }
  }
}
