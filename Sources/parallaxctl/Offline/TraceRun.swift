import Linux
import Motion
import Settings
import Traces

/// A recording and the pipeline that it goes through, as `process` and `plot` both have it.
struct TraceRun {
  let settings: Settings
  private let options: TraceOptions

  /// Reads the settings.
  init(_ options: TraceOptions) throws(CommandError) {
    self.options = options
    settings = try CommandError.wrap(ExitCode.configuration) { () throws(SettingsError) in
      try Settings.load(
        source: options.config.map { .file($0) } ?? .builtIn, overrides: options.overrides)
    }
    for line in settings.withoutEffect { StandardOutput.complain(line) }
  }

  /// Opens the recording and reads its header.
  ///
  /// - Parameter readsAcceleration: whether the columns of an accelerometer matter.
  func reader(readsAcceleration: Bool = false) throws(CommandError) -> TraceReader {
    let sensor = settings.sensor
    var mapping: ColumnMapping?
    if let text = options.columns {
      mapping = try CommandError.wrap(ExitCode.usage) { () throws(TraceError) in try ColumnMapping(text) }
    } else if let text = sensor.replayColumns {
      mapping = try CommandError.wrap(ExitCode.configuration) { () throws(TraceError) in
        try ColumnMapping(text)
      }
    }
    return try CommandError.wrap(ExitCode.failure) { () throws(TraceError) in
      try TraceReader(
        path: options.trace, columns: mapping,
        skipBadRows: options.skipBadRows || sensor.replaySkipBadRows, readsAcceleration: readsAcceleration)
    }
  }

  /// The daemon's own.
  ///
  /// - Parameter recorded: of a recording of ours.
  func pipeline(for model: SensorModel, _ recorded: RecordedSensor?) -> Pipeline {
    var model = model
    if let matrix = settings.sensor.mountMatrix { model.mountMatrix = matrix }
    var motion = settings.motion
    // A recording of ours is computed as it was live, unless a calibration is configured.
    let recorded = settings.isCalibrationConfigured ? nil : recorded?.recordedBias
    if let recorded { motion.play(recorded) }
    var pipeline = Pipeline(settings: motion, model: model)
    if let recorded { pipeline.adopt(recorded) }
    return pipeline
  }

  /// What reduced motion leaves of an offset.
  var scale: Double {
    let accessibility = settings.accessibility
    return accessibility.reducedMotion ? accessibility.reducedMotionScale : 1
  }

  /// Says how many broken rows were left out, if any were; after the last row.
  static func complainOfSkippedRows(_ rows: ReadAhead) {
    guard rows.skippedRows > 0 else { return }
    let what = rows.skippedRows == 1 ? "row was" : "rows were"
    StandardOutput.complain("\(rows.path): \(rows.skippedRows) broken \(what) left out")
  }
}
