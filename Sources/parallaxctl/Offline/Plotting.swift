import Motion
import Plot

/// Samples through the pipeline into what a picture is drawn from.
struct Plotting {
  private var pipeline: Pipeline
  /// What reduced motion leaves of an offset.
  private let scale: Double
  private(set) var record: PlotRecord
  private var rows = ProcessSummary()

  init(_ pipeline: Pipeline, scale: Double, window: ClosedRange<Double>) {
    self.pipeline = pipeline
    self.scale = scale
    record = PlotRecord(window: window)
  }

  /// Of all that went through.
  var summary: ProcessSummary {
    var summary = rows
    summary.counters = pipeline.counters
    return summary
  }

  var settings: MotionSettings { pipeline.settings }

  var samplesAccepted: Int64 { pipeline.counters.samples }

  /// Takes a row, in the order of the file. Nothing is allocated, once the record is full.
  mutating func take(_ sample: RawSample) {
    rows.take(sample)
    let before = pipeline.counters
    let update = pipeline.process(sample)
    let after = pipeline.counters
    guard after.samples != before.samples, let rate = pipeline.rate else { return }
    let arrival: PlotRecord.Arrival =
      after.gaps != before.gaps
      ? .afterGap : after.clockSteps != before.clockSteps ? .afterClockStep : .follows
    record.take(at: sample.timestampNanoseconds, arrival, rate: rate, bias: pipeline.biasInPicture)
    if let update { record.take(update.offset.scaled(by: scale), count: update.count) }
  }
}
