import Glibc
import Linux
import Motion
import Settings
import Traces

/// `parallaxctl process TRACE`: a recording through the daemon's own pipeline, as fast as it goes.
struct ProcessCommand {
  private let options: ProcessOptions
  private let settings: Settings

  /// Runs the command; `arguments` are the words after `process`. The exit code: 0, 1 (a trace that does not
  /// read, an output that does not write), 2 (usage), 78 (configuration).
  static func run(_ arguments: [String]) -> Int32 {
    // A reader such as `head` that has seen enough is told by EPIPE, and is no reason to complain.
    signal(SIGPIPE, SIG_IGN)
    do throws(ProcessFailure) {
      let options = try ProcessFailure.wrap { () throws(UsageError) in try ProcessOptions(arguments) }
      if options.wantsHelp {
        try ProcessOutput.write(help: ProcessOptions.help)
      } else {
        try ProcessCommand(options).run()
      }
      return 0
    } catch {
      if let message = error.message { complain(message) }
      return error.code
    }
  }

  private init(_ options: ProcessOptions) throws(ProcessFailure) {
    self.options = options
    settings = try ProcessFailure.wrap { () throws(SettingsError) in
      try Settings.load(
        source: options.config.map { .file($0) } ?? .builtIn, overrides: options.overrides)
    }
  }

  private func run() throws(ProcessFailure) {
    let sensor = settings.sensor
    var mapping: ColumnMapping?
    if let text = options.columns {
      mapping = try ProcessFailure.wrap(code: 2) { () throws(TraceError) in try ColumnMapping(text) }
    } else if let text = sensor.replayColumns {
      mapping = try ProcessFailure.wrap(code: 78) { () throws(TraceError) in try ColumnMapping(text) }
    }
    var reader = try TraceReader.opened(
      options.trace, mapping, skipBadRows: options.skipBadRows || sensor.replaySkipBadRows)
    var output = try ProcessOutput(path: options.output, format: options.format, notOver: options.trace)
    do throws(ProcessFailure) {
      try copy(&reader, to: &output)
    } catch {
      // What was read before a broken row is written too.
      try? output.flush()
      throw error
    }
    try output.flush()
    if reader.skippedRows > 0 {
      let rows = reader.skippedRows == 1 ? "row was" : "rows were"
      Self.complain("\(reader.path): \(reader.skippedRows) broken \(rows) left out")
    }
  }

  /// Every row through the pipeline; reduced motion scales what comes out.
  private func copy(_ reader: inout TraceReader, to output: inout ProcessOutput) throws(ProcessFailure) {
    var model = reader.model
    if let matrix = settings.sensor.mountMatrix { model.mountMatrix = matrix }
    var pipeline = Pipeline(settings: settings.motion, model: model)
    let accessibility = settings.accessibility
    let scale = accessibility.reducedMotion ? accessibility.reducedMotionScale : 1
    var progress = ProcessProgress(isWanted: !output.isTerminal)
    defer { progress.clear() }
    while let sample = try reader.nextRow() {
      if let update = pipeline.process(sample) {
        try output.write(update, scale: scale)
      }
      if progress.isDue() { progress.step(done: reader.bytesRead, of: reader.bytesTotal) }
    }
  }

  /// A line on standard error; there is nobody to tell if that fails.
  private static func complain(_ message: String) {
    let bytes = Array("parallaxctl: \(message)\n".utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

/// Why `process` ends early: the exit code, and a line for people (nil: nobody is there to read it).
struct ProcessFailure: Error {
  var code: Int32
  var message: String?

  /// Whoever read the output has gone.
  static let outputClosed = ProcessFailure(code: 0)

  /// Runs `body`; its error becomes a failure with the exit code that goes with its kind, or `code`.
  static func wrap<Result: ~Copyable, Failure: Error & CustomStringConvertible>(
    code: Int32? = nil, _ body: () throws(Failure) -> Result
  ) throws(ProcessFailure) -> Result {
    do {
      return try body()
    } catch {
      let usual: Int32 = error is UsageError ? 2 : error is SettingsError ? 78 : 1
      throw ProcessFailure(code: code ?? usual, message: error.description)
    }
  }
}

extension TraceReader {
  static func opened(
    _ path: String, _ mapping: ColumnMapping?, skipBadRows: Bool
  ) throws(ProcessFailure) -> TraceReader {
    do {
      return try TraceReader(path: path, columns: mapping, skipBadRows: skipBadRows)
    } catch {
      throw ProcessFailure(code: 1, message: error.description)
    }
  }

  mutating func nextRow() throws(ProcessFailure) -> RawSample? {
    do {
      return try next()
    } catch {
      throw ProcessFailure(code: 1, message: error.description)
    }
  }
}
