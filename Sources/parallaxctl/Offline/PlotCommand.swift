import Linux
import Motion
import Plot
import Settings
import Traces

/// `parallaxctl plot TRACE -o FILE`: what `process` computes, as a picture.
struct PlotCommand {
  private let options: PlotOptions
  private let trace: TraceRun

  init(_ options: PlotOptions) throws(CommandError) {
    self.options = options
    trace = try TraceRun(options.trace)
  }

  /// Exits besides 0: 1 (a trace that does not read, a picture that does not write), 78 (configuration).
  func run() throws(CommandError) {
    if options.demo {
      var plotting = plotting(Demonstration.model, nil)
      let end = Int64(options.window.upperBound * Double(Demonstration.sampleRate))
      for index in 0...end { plotting.take(Demonstration.sample(index)) }
      let file = try PictureFile(options.output, notOver: nil)
      return try draw(plotting, source: demonstrationSource, into: file)
    }
    let reader = try trace.reader()
    // Before the work, so that nobody waits for what then cannot be written.
    let file = try PictureFile(options.output, notOver: options.trace.trace)
    let source = PlotSource(path: reader.path, layout: reader.layout)
    let rows = try ReadAhead(reader)
    defer { rows.finish() }
    var plotting = plotting(rows.model, rows.recordedSensor)
    try read(rows, into: &plotting)
    TraceRun.complainOfSkippedRows(rows)
    try draw(plotting, source: source, into: file)
  }

  private func plotting(_ model: SensorModel, _ recorded: RecordedSensor?) -> Plotting {
    Plotting(trace.pipeline(for: model, recorded), scale: trace.scale, window: options.window)
  }

  private var demonstrationSource: PlotSource {
    PlotSource(
      title: "Demonstration", isSynthetic: true, texts: ["a modelled hand tilts a tablet; no sensor is read"])
  }

  /// Every row up to the window's end.
  private func read(_ rows: ReadAhead, into plotting: inout Plotting) throws(CommandError) {
    var progress = ProcessProgress(isWanted: true)
    defer { progress.clear() }
    while !plotting.record.isComplete, let batch = try rows.next() {
      var index = 0
      while index < batch.rows.count, !plotting.record.isComplete {
        plotting.take(batch.rows[index])
        index += 1
      }
      if plotting.record.isComplete { rows.leave(after: index) }
      progress.step(done: batch.bytesRead, of: rows.bytesTotal)
    }
  }

  private func draw(_ plotting: Plotting, source: PlotSource, into file: PictureFile) throws(CommandError) {
    guard plotting.record.isDrawable else {
      throw CommandError(ExitCode.failure, "\(source.title): \(nothingToSee(plotting))")
    }
    let facts = source.facts(plotting, settings: trace.settings, window: options.window)
    let bytes = try CommandError.wrap(ExitCode.failure) { () throws(PlotError) in
      try Picture.bytes(of: plotting.record, facts, options.format, options.size)
    }
    try file.write(bytes)
  }

  /// Why there is no curve.
  private func nothingToSee(_ plotting: Plotting) -> String {
    let summary = plotting.summary
    guard summary.rows > 0 else { return "there are no rows: nothing to draw" }
    guard plotting.samplesAccepted > 1 else {
      return "a curve needs two samples; there \(summary.rows == 1 ? "is" : "are") \(summary.text)"
    }
    let end = DecimalText.brief(plotting.record.time, digits: 3)
    return "no two samples at different times between --from and --to; the recording ends at \(end) s"
  }
}
