import Motion
import Settings
import Traces

/// Samples of a recording or of the demonstration, one after the other.
final class Playback {
  /// nil: the demonstration.
  private var reader: TraceReader?
  private var index: Int64 = 0

  init(_ sensor: SensorSettings) throws(SensorFailure) {
    guard sensor.backend == .replay else {
      reader = nil
      return
    }
    do throws(TraceError) {
      reader = try TraceReader(
        path: sensor.replayFile ?? "", columns: try sensor.replayColumns.map(ColumnMapping.init),
        skipBadRows: sensor.replaySkipBadRows, readsAcceleration: true)
    } catch {
      throw SensorFailure(.configuration, "\(error)")
    }
  }

  var model: SensorModel { reader?.model ?? Demonstration.model }

  /// For people; nil for the demonstration.
  var format: TraceFormat? { reader?.format }

  /// Whether the trace says how its sensor is mounted.
  var hasOrientation: Bool { reader?.layout.hasOrientation ?? false }

  /// Whether it has accelerations beside the rates.
  var hasAcceleration: Bool { reader?.layout.hasAcceleration ?? false }

  /// What a recording of ours says of its sensor.
  var recordedSensor: RecordedSensor? { reader?.layout.recordedSensor }

  var skippedRows: Int? { reader?.skippedRows }

  /// Broken rows that are skipped at once; the loop has other things to do.
  private static let skipsAtOnce = 1000

  func next() throws(SensorFailure) -> TraceReader.Row {
    if reader == nil {
      defer { index += 1 }
      return .sample(Demonstration.sample(index))
    }
    do throws(TraceError) {
      return try reader?.row(skippingAtMost: Self.skipsAtOnce) ?? .end
    } catch {
      throw SensorFailure(.configuration, "\(error)")
    }
  }

  func rewind() throws(SensorFailure) {
    index = 0
    do throws(TraceError) {
      try reader?.rewind()
    } catch {
      throw SensorFailure(.configuration, "\(error)")
    }
  }
}
