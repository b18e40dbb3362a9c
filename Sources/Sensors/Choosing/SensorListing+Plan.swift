import IIO
import Settings

// How a gyroscope would be read: what `SensorSession` would do, without doing it.
extension SensorListing {
  /// The ways that would be tried, in their order. Whether iio-sensor-proxy runs is not known here: without a loop
  /// there is no bus.
  static func plan(for gyroscope: Gyroscope, among devices: [Device], _ settings: Settings) -> String {
    if settings.sensor.mode == .poll { return "polled, as `mode` in [sensor] says" }
    let rest = settings.sensor.mode == .auto && gyroscope.canBePolled ? ["polled"] : []
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
