extension JSONBuffer {
  /// The status as a whole reply with its end.
  package mutating func appendReply(_ status: Status, in form: MessageForm) {
    appendReply(in: form) { $0.appendMembers(of: status) }
  }

  /// A bare status, without envelope or end.
  package mutating func append(_ status: Status) {
    beginObject()
    appendMembers(of: status)
    endObject()
  }

  private mutating func appendMembers(of status: Status) {
    member("version", status.version)
    member("state", status.state.rawValue)
    member("reason", status.reason?.rawValue)
    member("text", status.text)
    member("retry_in", status.retryIn)
    member("reduced_motion", status.reducedMotion)
    key("sensor")
    append(status.sensor)
    key("configuration")
    append(status.configuration)
    key("settings")
    beginArray()
    for setting in status.settings { append(setting) }
    endArray()
    member("bias", status.bias)
    member("bias_confidence", status.biasConfidence)
    member("tilt", status.tilt)
    key("counters")
    append(status.counters)
    member("subscribers", status.subscribers)
    member("connections", status.connections)
    member("pages", status.pages)
  }

  private mutating func append(_ sensor: Status.Sensor) {
    beginObject()
    member("backend", sensor.backend)
    member("name", sensor.name)
    member("label", sensor.label)
    member("id", sensor.id)
    member("path", sensor.path)
    member("uri", sensor.uri)
    member("mode", sensor.mode)
    member("why", sensor.why)
    member("frequency_asked", sensor.frequencyAsked)
    member("frequency_set", sensor.frequencySet)
    member("frequency_measured", sensor.frequencyMeasured)
    member("clock", sensor.clock)
    member("scale", sensor.scale)
    member("mount_matrix", sensor.mountMatrix)
    member("mount_matrix_from", sensor.mountMatrixFrom)
    member("skipped_rows", sensor.skippedRows)
    endObject()
  }

  private mutating func append(_ configuration: Status.Configuration) {
    beginObject()
    member("files", configuration.files)
    member("loaded_at", configuration.loadedAt)
    member("last_error", configuration.lastError)
    key("scenes")
    if let scenes = configuration.scenes { value(scenes) } else { null() }
    endObject()
  }

  private mutating func append(_ setting: Status.Setting) {
    beginObject()
    member("name", setting.name)
    member("value", setting.value)
    endObject()
  }

  private mutating func append(_ counters: Status.Counters) {
    beginObject()
    member("samples", counters.samples)
    member("updates", counters.updates)
    member("invalid", counters.invalid)
    member("out_of_order", counters.outOfOrder)
    member("clock_steps", counters.clockSteps)
    member("gaps", counters.gaps)
    member("settling", counters.settling)
    member("wakeups", counters.wakeups)
    member("events_sent", counters.eventsSent)
    member("dropped", counters.dropped)
    endObject()
  }
}
