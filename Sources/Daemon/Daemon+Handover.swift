import Glibc
import Handover
import Linux
import Motion
import Server

// A restart without loss: what the service manager has kept of the daemon before is gone on with, and what is to
// outlive this one is given to it.
extension Daemon {
  var motionRecord: MotionRecord {
    var record = MotionRecord()
    record.sequence = stage.pipeline.sequence
    record.timestampNanoseconds = stage.pipeline.timestampNanoseconds
    record.x = stage.pipeline.offset.x
    record.y = stage.pipeline.offset.y
    record.tiltX = stage.pipeline.tiltAngle.x
    record.tiltY = stage.pipeline.tiltAngle.y
    record.switchReduces = lifecycle.switchReduces
    record.ratePolicy = server.access.rateMark
    let learned = stage.pipeline.learnedBias
    record.biasX = learned.bias.x
    record.biasY = learned.bias.y
    record.biasZ = learned.bias.z
    record.biasVariance = learned.variance
    record.sensorMark = sensorMark
    return record
  }

  /// Goes on with what the daemon before has left. Where nothing is kept there is nothing to be done, and nothing is
  /// paid.
  func takeUp(_ passed: PassedDescriptors) {
    guard manager.keepsDescriptors else { return hangUp(passed) }
    do {
      let file = try adopt(passed.state) ?? make()
      let handover = Handover(file, keptBy: manager)
      self.handover = handover
      server.handover = handover
      if let motion = handover.motion { goOn(from: motion) }
      takeUpPages(passed)
      takeUp(passed.connections, from: handover)
    } catch {
      log.warning("subscribers will not outlive a restart: \(error)")
      hangUp(passed)
    }
  }

  /// The file that the daemon before has left; nil where there is none that can be gone on with.
  private func adopt(_ number: Int32?) -> HandoverFile? {
    guard let number else { return nil }
    do {
      let file = try HandoverFile.adopt(FileDescriptor(owning: number))
      guard file.image.motion != nil else { throw HandoverDefect.damagedFile }
      // One with fewer slots would keep fewer connections for good.
      guard file.image.layout == .standard else { throw HandoverDefect.otherVersion }
      return file
    } catch {
      let reason = (error as? HandoverDefect)?.rawValue ?? "\(error)"
      log.warning("nothing is gone on with: \(reason)")
      manager.drop(.state)
      return nil
    }
  }

  private func make() throws -> HandoverFile {
    let file = try HandoverFile.make()
    manager.keep(file.number, as: .state)
    return file
  }

  private func goOn(from motion: MotionRecord) {
    stage.pipeline.resume(
      sequence: motion.sequence, timestampNanoseconds: motion.timestampNanoseconds,
      offset: Offset(x: motion.x, y: motion.y), tilt: TiltAngle(x: motion.tiltX, y: motion.tiltY))
    lifecycle.switchReduces = motion.switchReduces
    stage.pipeline.adopt(
      LearnedBias(Vector3(motion.biasX, motion.biasY, motion.biasZ), variance: motion.biasVariance))
    sensorMark = motion.sensorMark
  }

  /// What of them nobody has is given up at the end.
  private func takeUpPages(_ passed: PassedDescriptors) {
    for (kind, number) in [(PageKind.withoutRates, passed.page), (.withRates, passed.pageWithRates)] {
      guard let number else { continue }
      do {
        try server.takeUp(
          kind, owning: FileDescriptor(owning: number), ratesOf: handover?.motion?.ratePolicy ?? 0)
      } catch {
        manager.drop(Handover.Name(kind))
        log.warning("a page of before is not gone on with: \(error)")
      }
    }
  }

  private func takeUp(_ numbers: [Int32], from handover: Handover) {
    let slots = handover.slotsByCookie()
    var taken: Set<Int> = []
    var failures: [String: Int] = [:]
    for number in numbers {
      let slot = Handover.cookie(of: number).flatMap { slots[$0] }
      // The same connection twice: one descriptor of it is enough.
      if let slot, taken.contains(slot) {
        close(number)
        continue
      }
      do throws(TakeUpFailure) {
        try server.takeUp(FileDescriptor(owning: number), slot: slot)
        if let slot { taken.insert(slot) }
      } catch {
        failures["\(error)", default: 0] += 1
      }
    }
    handover.freeSlots(except: taken)
    for (reason, count) in failures.sorted(by: { $0.key < $1.key }) {
      log.warning("\(count.counted("connection")) of before closed: \(reason)")
    }
    if !taken.isEmpty {
      log.info("going on with \(taken.count.counted("connection")) of before")
    }
    // Motion that was reduced before is not reduced just now: the offset goes on.
    lifecycle.holds = server.holds
    presented?.reducedMotion = lifecycle.isReduced
    server.didTakeUp()
  }

  /// What was left cannot be used: the clients are told.
  private func hangUp(_ passed: PassedDescriptors) {
    for number in passed.connections {
      shutdown(number, Int32(SHUT_RDWR))
      close(number)
    }
    for number in [passed.page, passed.pageWithRates, passed.state] {
      if let number { close(number) }
    }
  }
}
