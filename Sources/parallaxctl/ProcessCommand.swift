import Glibc
import Linux
import Motion
import Settings
import Traces
import Wire

/// `parallaxctl process TRACE`: a recording through the daemon's own pipeline, as fast as it goes.
struct ProcessCommand {
  private let options: ProcessOptions
  private let settings: Settings

  /// Runs the command; `arguments` are the words after `process`. The exit code: 0, 1 (a trace that does not
  /// read, an output that does not write), 2 (usage), 78 (configuration).
  static func run(_ arguments: [String]) -> Int32 {
    do throws(CommandError) {
      let options = try CommandError.wrap(ExitCode.usage) { () throws(UsageError) in
        try ProcessOptions(arguments)
      }
      if options.wantsHelp {
        try StandardOutput.writeHelp(ProcessOptions.help)
      } else if options.wantsVersion {
        try StandardOutput.writeLine("parallaxctl \(parallaxVersion)")
      } else {
        try ProcessCommand(options).run()
      }
      return ExitCode.success
    } catch {
      if let message = error.message { StandardOutput.complain(message) }
      return error.code
    }
  }

  private init(_ options: ProcessOptions) throws(CommandError) {
    self.options = options
    settings = try CommandError.wrap(ExitCode.configuration) { () throws(SettingsError) in
      try Settings.load(
        source: options.config.map { .file($0) } ?? .builtIn, overrides: options.overrides)
    }
  }

  private func run() throws(CommandError) {
    let sensor = settings.sensor
    var mapping: ColumnMapping?
    if let text = options.columns {
      mapping = try CommandError.wrap(ExitCode.usage) { () throws(TraceError) in try ColumnMapping(text) }
    } else if let text = sensor.replayColumns {
      mapping = try CommandError.wrap(ExitCode.configuration) { () throws(TraceError) in
        try ColumnMapping(text)
      }
    }
    let reader = try CommandError.wrap(ExitCode.failure) { () throws(TraceError) in
      try TraceReader(
        path: options.trace, columns: mapping,
        skipBadRows: options.skipBadRows || sensor.replaySkipBadRows)
    }
    var output = try ProcessOutput(path: options.output, format: options.format, notOver: options.trace)
    let rows = try ReadAhead(reader)
    defer { rows.finish() }
    var summary = ProcessSummary()
    do throws(CommandError) {
      try copy(rows, to: &output, &summary)
    } catch {
      // What was read before a broken row is written too.
      try? output.flush()
      throw error
    }
    try output.flush()
    if rows.skippedRows > 0 {
      let what = rows.skippedRows == 1 ? "row was" : "rows were"
      StandardOutput.complain("\(rows.path): \(rows.skippedRows) broken \(what) left out")
    }
    if isatty(STDERR_FILENO) == 1, !output.isTerminal { StandardOutput.complain(summary.text) }
  }

  /// Every row through the pipeline; reduced motion scales what comes out.
  private func copy(_ rows: ReadAhead, to output: inout ProcessOutput, _ summary: inout ProcessSummary)
    throws(CommandError)
  {
    var model = rows.model
    if let matrix = settings.sensor.mountMatrix { model.mountMatrix = matrix }
    var motion = settings.motion
    // A recording of ours is computed as it was live, unless a calibration is configured.
    if settings.calibration.mode == .off, let recorded = rows.recordedSensor { motion.bias = recorded.bias }
    var pipeline = Pipeline(settings: motion, model: model)
    let accessibility = settings.accessibility
    let scale = accessibility.reducedMotion ? accessibility.reducedMotionScale : 1
    var progress = ProcessProgress(isWanted: !output.isTerminal)
    defer { progress.clear() }
    while let batch = try rows.next() {
      var index = 0
      while index < batch.rows.count {
        summary.take(batch.rows[index])
        if let update = pipeline.process(batch.rows[index]) { try output.write(update, scale: scale) }
        index += 1
      }
      progress.step(done: batch.bytesRead, of: rows.bytesTotal)
    }
    summary.counters = pipeline.counters
  }
}

extension CommandError {
  /// Runs `body`; its error ends the command with `code`.
  static func wrap<Result: ~Copyable, Failure: Error & CustomStringConvertible>(
    _ code: Int32, _ body: () throws(Failure) -> Result
  ) throws(CommandError) -> Result {
    do {
      return try body()
    } catch {
      throw CommandError(code, error.description)
    }
  }
}
