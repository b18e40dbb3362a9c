import Motion

/// What `process --estimates` writes: the bias that is taken off, a row where it begins and at each change.
struct EstimatesOutput: ~Copyable {
  private var file: RowFile
  private var newest: Vector3?

  /// Opens the file and begins it; see `RowFile`.
  init(path: String, notOver others: [RowFile.Other]) throws(CommandError) {
    file = try RowFile(path: path, notOver: others)
    file.put("timestamp_ns,x,y,z,confidence\n")
  }

  /// The sample at `timestamp` was taken in; its bias holds from the next one on. Nothing is allocated.
  mutating func note(_ pipeline: borrowing Pipeline, at timestamp: Int64) throws(CommandError) {
    let bias = pipeline.bias
    guard bias != newest else { return }
    newest = bias
    try file.beginRow()
    file.put(timestamp)
    file.put(",")
    file.put(bias.x)
    file.put(",")
    file.put(bias.y)
    file.put(",")
    file.put(bias.z)
    file.put(",")
    if let confidence = pipeline.biasConfidence { file.put(confidence) }
    file.put("\n")
  }

  /// Writes what is in the buffer.
  mutating func flush() throws(CommandError) { try file.flush() }
}
