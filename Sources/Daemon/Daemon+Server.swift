import Motion
import Server
import Wire

extension Daemon: ServerDelegate {
  var presentEvent: MotionEvent {
    let pipeline = stage.pipeline
    let scale = lifecycle.isReduced ? lifecycle.reducedMotionScale : 1
    let offset = pipeline.offset.scaled(by: scale)
    var event = MotionEvent()
    event.sequence = pipeline.sequence
    event.timestampNanoseconds = pipeline.timestampNanoseconds
    event.x = offset.x
    event.y = offset.y
    let tilt = pipeline.tilt.scaled(by: scale)
    event.tilt = MotionEvent.Tilt(x: tilt.x, y: tilt.y)
    event.state = lifecycle.state
    event.reason = lifecycle.reason
    event.reducedMotion = lifecycle.isReduced
    if event.state == .running {
      let velocity = pipeline.velocity.scaled(by: scale)
      event.velocityX = velocity.x
      event.velocityY = velocity.y
      event.rate = pipeline.rate.map { MotionEvent.Rate(x: $0.x, y: $0.y, z: $0.z) }
    }
    return event
  }

  var presentTilt: Tilt { stage.pipeline.tilt }

  var rawHeader: RawHeader? {
    guard lifecycle.source == .running else { return nil }
    return RawHeader(
      source.description, stage.pipeline, backend: configuration.settings.sensor.backend)
  }

  func restartStream() {
    stage.restart()
    server.rawStreamDidRestart()
  }

  func audienceDidChange() {
    let audience = server.audience
    lifecycle.subscribers = audience.subscribers
    lifecycle.reducedSubscribers = audience.reduced
    source.patienceNanoseconds = audience.patienceNanoseconds
    tellSourceOfTilt()
    lifecycleDidChange()
  }

  /// Offset and scenes.
  func toNeutral() {
    stage.pipeline.recenter()
    server.recenterScenes()
  }

  func recenter() {
    toNeutral()
    publish(presentEvent)
  }

  func pan(x: Double, y: Double) {
    if !lifecycle.isReduced {
      stage.pipeline.pan(x: x, y: y)
      server.panScenes(x: x, y: y, within: stage.pipeline.settings.offsetBound)
    }
    publish(presentEvent)
  }

  func setReducedMotion(_ enabled: Bool?) {
    lifecycle.switchReduces = enabled
    handover?.write(motionRecord)
    lifecycleDidChange()
  }

  func reducedMotionHoldsDidChange(_ holds: Int) {
    lifecycle.holds = holds
    lifecycleDidChange()
  }
}
