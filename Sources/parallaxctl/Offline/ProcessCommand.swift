import Glibc
import Linux
import Motion

/// `parallaxctl process TRACE`: a recording through the daemon's own pipeline, as fast as it goes.
struct ProcessCommand {
  private let options: ProcessOptions
  private let trace: TraceRun

  init(_ options: ProcessOptions) throws(CommandError) {
    self.options = options
    trace = try TraceRun(options.trace)
  }

  /// Exits besides 0: 1 (a trace that does not read, an output that does not write), 78 (configuration).
  func run() throws(CommandError) {
    let reader = try trace.reader(
      readsAcceleration: options.wantsTilt && trace.settings.motion.tilt.usesAccelerometer)
    var inUse: [RowFile.Other] = [(options.trace.trace, "the trace")]
    var output = try ProcessOutput(
      path: options.output, format: options.format, tilt: options.wantsTilt, notOver: inUse)
    if let path = options.output { inUse.append((path, "the output")) }
    var estimates = Optional<EstimatesOutput>.none
    if let path = options.estimates {
      estimates = try EstimatesOutput(path: path, notOver: inUse)
    }
    let rows = try ReadAhead(reader)
    defer { rows.finish() }
    var summary = ProcessSummary()
    do throws(CommandError) {
      try copy(rows, to: &output, &estimates, &summary)
    } catch {
      // What was read before a broken row is written too.
      try? output.flush()
      try? estimates?.flush()
      throw error
    }
    try output.flush()
    try estimates?.flush()
    TraceRun.complainOfSkippedRows(rows)
    report(summary, beside: output)
  }

  /// What a person sees in the end; who reads the rows already sees nothing more.
  private func report(_ summary: ProcessSummary, beside output: borrowing ProcessOutput) {
    if summary.rows == 0 {
      StandardOutput.complain("\(options.trace.trace): there are no rows: nothing to process")
    } else if isatty(STDERR_FILENO) == 1, !output.isTerminal {
      StandardOutput.complain(summary.text)
    }
  }

  /// Every row through the pipeline; reduced motion scales what comes out.
  private func copy(
    _ rows: ReadAhead, to output: inout ProcessOutput, _ estimates: inout EstimatesOutput?,
    _ summary: inout ProcessSummary
  ) throws(CommandError) {
    var pipeline = trace.pipeline(for: rows.model, rows.recordedSensor)
    pipeline.keepsTilt = options.wantsTilt
    let scale = trace.scale
    var progress = ProcessProgress(isWanted: !output.isTerminal)
    defer { progress.clear() }
    while let batch = try rows.next() {
      var index = 0
      while index < batch.rows.count {
        summary.take(batch.rows[index])
        if let update = pipeline.process(batch.rows[index]) {
          try output.write(update, pipeline.tilt, scale: scale)
        }
        try estimates?.note(pipeline, at: batch.rows[index].timestampNanoseconds)
        index += 1
      }
      progress.step(done: batch.bytesRead, of: rows.bytesTotal)
    }
    summary.counters = pipeline.counters
  }
}
