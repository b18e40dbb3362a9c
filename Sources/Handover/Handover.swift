import CLinux
import Linux

/// The service manager, as far as it keeps descriptors for the next daemon.
package protocol DescriptorKeeper: AnyObject {
  /// Gives it a copy of a descriptor. It lets go of a connection by itself when either end hangs up.
  func keep(_ descriptor: Int32, as name: Handover.Name)

  /// It lets go of every descriptor of the name.
  func drop(_ name: Handover.Name)
}

/// What this daemon leaves to the next one on this machine, and what it has found itself: connections by their
/// descriptors, which the service manager keeps, and what must be known of them, in the handover file.
///
/// Belongs to the loop's thread. There is none where no service manager keeps descriptors.
package final class Handover {
  /// What descriptors are called that the service manager keeps.
  package enum Name: String, CaseIterable, Sendable {
    /// The handover file.
    case state
    /// A client's; which it is, the kernel's number of the socket says.
    case connection
    case page
    case pageWithRates = "page-rates"

    package init(_ page: PageKind) { self = page == .withRates ? .pageWithRates : .page }
  }

  private let file: HandoverFile
  private var image: HandoverImage { file.image }
  private let manager: any DescriptorKeeper
  /// Below `untouched`.
  private var free: [Int] = []
  private var untouched: Int

  /// - Parameter file: a new one, or the one found; slots in use are kept until `freeSlots(except:)`.
  package init(_ file: HandoverFile, keptBy manager: any DescriptorKeeper) {
    self.file = file
    self.manager = manager
    untouched = file.image.slotsUsed
  }

  /// Where the pipeline stood; nil where that is damaged, and with it everything.
  package var motion: MotionRecord? { image.motion }

  /// Allocates nothing, and costs three cache lines.
  package func write(_ motion: MotionRecord) { image.write(motion) }

  // MARK: Connections that stay

  /// A slot for a connection, in doubt until it is first written; nil where all are taken.
  package func admit(_ descriptor: borrowing FileDescriptor) -> Int? {
    guard let cookie = Self.cookie(of: descriptor.number), let slot = nextFree() else { return nil }
    image.take(slot, cookie: cookie)
    return slot
  }

  /// Has the connection kept; it has been written.
  package func keep(_ descriptor: borrowing FileDescriptor) {
    manager.keep(descriptor.number, as: .connection)
  }

  /// Has a page kept that was made just now.
  package func keep(_ page: PageKind, _ number: Int32) { manager.keep(number, as: Name(page)) }

  /// Nobody has the page any more.
  package func drop(_ page: PageKind) { manager.drop(Name(page)) }

  /// What is done next with the connection leaves its record behind.
  package func begin(_ slot: Int) { image.begin(slot) }

  /// How the connection stands now.
  package func write(_ record: ConnectionRecord, _ slot: Int) {
    if image.write(record, slot) { file.releaseBody(of: slot) }
  }

  /// What its subscriber has missed, without anything else having changed.
  package func write(lost: Int64, _ slot: Int) { image.write(lost: lost, slot) }

  /// Where the scene of its stream stands.
  package func write(sceneX x: Double, y: Double, _ slot: Int) { image.write(sceneX: x, y: y, slot) }

  /// The connection is closed, or stays no longer than this daemon. Its descriptor the manager drops at the hang-up.
  package func release(_ slot: Int) {
    image.free(slot)
    file.releaseBody(of: slot)
    free.append(slot)
  }

  private func nextFree() -> Int? {
    if let slot = free.popLast() { return slot }
    guard untouched < image.layout.slots else { return nil }
    defer { untouched += 1 }
    return untouched
  }

  // MARK: Connections that were left

  /// The slots in use, by the kernel's number of the socket.
  package func slotsByCookie() -> [UInt64: Int] {
    var slots: [UInt64: Int] = [:]
    for slot in 0..<image.slotsUsed {
      if let cookie = image.cookie(of: slot) { slots[cookie] = slot }
    }
    return slots
  }

  /// What the daemon before wrote down of a connection.
  package func connection(_ slot: Int) throws(HandoverDefect) -> ConnectionRecord {
    try image.connection(slot)
  }

  /// Those that nobody has taken up belong to connections that are gone.
  package func freeSlots(except taken: Set<Int>) {
    for slot in 0..<image.slotsUsed where !taken.contains(slot) {
      if image.cookie(of: slot) != nil { file.releaseBody(of: slot) }
      image.free(slot)
      free.append(slot)
    }
  }

  /// What the kernel calls a socket for as long as it is up (SO_COOKIE); nil where it is none.
  package static func cookie(of number: Int32) -> UInt64? {
    var cookie: UInt64 = 0
    return clinux_socket_cookie(number, &cookie) == 0 ? cookie : nil
  }
}
