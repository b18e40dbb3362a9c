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
        skipBadRows: sensor.replaySkipBadRows)
    } catch {
      throw SensorFailure(.configuration, "\(error)")
    }
  }

  var model: SensorModel { reader?.model ?? Demonstration.model }

  /// For people; nil for the demonstration.
  var format: TraceFormat? { reader?.format }

  /// Whether the trace says how its sensor is mounted.
  var hasOrientation: Bool { reader?.layout.hasOrientation ?? false }

  var skippedRows: Int? { reader?.skippedRows }

  func next() throws(SensorFailure) -> RawSample? {
    if reader == nil {
      defer { index += 1 }
      return Demonstration.sample(index)
    }
    do throws(TraceError) {
      return try reader?.next()
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
