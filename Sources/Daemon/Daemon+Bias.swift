import Motion
import Sensors

// Whose bias the pipeline has: what was learned of a sensor is remembered when it goes to sleep, and is where the next
// opening begins, to be checked anew. Recordings begin with what they say themselves, or with nothing.
extension Daemon {
  /// The sensor was opened, and the pipeline is about to get its first sample.
  func recallBias(of description: SensorDescription) {
    let name = description.lastingName ?? "recording \(description.path ?? "")"
    let mark = BiasStore.mark(of: name)
    let isSame = mark == sensorMark
    sensorMark = mark
    guard description.lastingName != nil else {
      // One that goes on after a pause goes on with what was learned until then.
      if !isSame { stage.pipeline.adopt(.none) }
      if !isSame, let recordedBias { stage.pipeline.adopt(recordedBias) }
      return
    }
    let known = isSame && stage.pipeline.learnedBias.isKnown ? stage.pipeline.learnedBias : recalled(name)
    stage.pipeline.adopt(known.doubted)
    rememberedBias = stage.pipeline.learnedBias
  }

  private func recalled(_ name: String) -> LearnedBias {
    do throws(BiasStoreError) {
      return try BiasStore()?.recall(name) ?? .none
    } catch {
      log.warning("\(error)")
      return .none
    }
  }

  /// The sensor goes to sleep, or has gone: what was learned of it since it was opened is written down.
  func rememberBias() {
    let learned = stage.pipeline.learnedBias
    guard learned.isKnown, learned != rememberedBias, let name = source.description.lastingName,
      BiasStore.mark(of: name) == sensorMark, let store = BiasStore()
    else { return }
    rememberedBias = learned
    do throws(BiasStoreError) {
      try store.remember(
        BiasRecord(sensor: name, learned: learned, temperature: source.description.temperature))
      hasFailedToRemember = false
    } catch {
      if !hasFailedToRemember { log.warning("\(error)") }
      hasFailedToRemember = true
    }
  }
}
