import Glibc
import Handover
import Wire

// A connection that outlives the daemon. What its slot says holds at any moment, or the slot says that there is
// doubt: the daemon can be killed between any two instructions.
//
// An event is sent without a doubt being noted: the kernel takes a message of its size (below half of its least
// send buffer) whole or not at all, and nothing else of the record changes with it.
extension Session {
  /// From here on the connection has something to lose: it is kept, as soon as all that goes on just now is done.
  /// One that only calls is not, and costs nothing.
  func stay() {
    guard slot == nil else { return }
    slot = server.handover?.admit(descriptor)
    isChanging = slot != nil
  }

  /// The connection ends with the daemon again, or is about to be closed.
  func stayNoLonger() {
    if let slot { server.handover?.release(slot) }
    slot = nil
    isChanging = false
  }

  /// Tells the other end, who would see nothing of it while the service manager has the connection open too.
  func sayGoodbye() {
    if isStored { shutdown(descriptor.number, Int32(SHUT_RDWR)) }
  }

  /// Bytes are about to come in or go out.
  func beginChange() {
    guard let slot, !isChanging else { return }
    isChanging = true
    server.handover?.begin(slot)
  }

  /// They have, and everything that they brought about is done.
  func endChange() {
    // A descriptor on its way and a call that is not answered cannot be written down: there is doubt until then.
    guard let slot, isChanging, !isFinished, !output.carriesDescriptor, calibration == nil else { return }
    isChanging = false
    var record = ConnectionRecord()
    record.form = form
    record.subscription = subscription?.options
    record.isHolding = isHolding
    record.page = page
    record.tail = output.pending
    record.input = input.bufferedBytes
    record.lost = subscription?.lost ?? 0
    record.scene = scene?.record
    notedLost = record.lost
    server.handover?.write(record, slot)
    guard !isStored else { return }
    server.handover?.keep(descriptor)
    isStored = true
  }

  /// An event was sent, held or lost.
  func noteLost() {
    guard let slot, !isChanging, let lost = subscription?.lost, lost != notedLost else { return }
    notedLost = lost
    server.handover?.write(lost: lost, slot)
  }

  /// The scene has moved.
  func noteScene() {
    guard let slot, !isChanging, let offset = scene?.offset else { return }
    server.handover?.write(sceneX: offset.x, y: offset.y, slot)
  }

  /// Goes on as the daemon before left off; what its subscriber sees next is the state of now.
  func resume(_ record: ConnectionRecord, _ scene: OpenScene?, slot: Int) {
    self.slot = slot
    isStored = true
    beginChange()
    output = OutputQueue(pending: record.tail)
    input = MessageAccumulator(form: record.form)
    page = record.page
    Array(record.input).withUnsafeBytes { input.append($0, limits: server.limits.wire) }
    guard let options = record.subscription else { return }
    self.scene = scene
    limitBacklog(options)
    subscription = Subscription(options, lost: record.lost)
    if options.wantsRate, !server.access.maySeeRates(descriptor) { subscription?.withholdRates() }
  }
}
