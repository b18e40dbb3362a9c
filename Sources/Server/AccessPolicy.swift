import CLinux
import Glibc
import Linux

/// Who may change state for others, and who may see rates and raw scans; connecting is the socket's own mode and group.
package struct AccessPolicy: Equatable, Sendable {
  /// Members may do what root may; looked up once, when settings are loaded.
  package var controlGroup: UInt32?
  /// Whether everybody who is connected may see rates.
  package var allowRate = false
  /// Whether everybody who is connected may see raw scans.
  package var allowRaw = false

  package init() {}

  /// Whether the process at the other end of `descriptor` may change state for others: root, the daemon's
  /// own user, or a member of the control group, as the kernel noted when it connected.
  func mayControl(_ descriptor: borrowing FileDescriptor) -> Bool {
    guard let peer = try? PeerCredentials(of: descriptor) else { return false }
    if peer.userID == 0 || peer.userID == geteuid() { return true }
    guard let controlGroup else { return false }
    return peer.groupID == controlGroup
      || PeerCredentials.supplementaryGroups(of: descriptor).contains(controlGroup)
  }

  /// Whether it may see rates.
  func maySeeRates(_ descriptor: borrowing FileDescriptor) -> Bool { allowRate || mayControl(descriptor) }

  /// Whether somebody who could see rates under `old` may not any more.
  func takesRates(from old: AccessPolicy) -> Bool {
    guard !allowRate else { return false }
    return old.allowRate || (old.controlGroup != nil && old.controlGroup != controlGroup)
  }

  /// What `takesRates` looks at, as a word that can be kept.
  package var rateMark: UInt64 { (allowRate ? 1 : 0) | (controlGroup.map { UInt64($0) << 2 | 2 } ?? 0) }

  /// A policy of before, as far as its mark tells.
  init(rateMark: UInt64) {
    self.init()
    allowRate = rateMark & 1 != 0
    if rateMark & 2 != 0 { controlGroup = UInt32(truncatingIfNeeded: rateMark >> 2) }
  }

  /// Whether it may see raw scans.
  func maySeeRaw(_ descriptor: borrowing FileDescriptor) -> Bool { allowRaw || mayControl(descriptor) }
}

/// Who is at the other end of a Unix socket (SO_PEERCRED, SO_PEERGROUPS).
struct PeerCredentials {
  var userID: UInt32 = 0
  var groupID: UInt32 = 0

  init(of descriptor: borrowing FileDescriptor) throws(SystemError) {
    var processID: Int32 = 0
    let number = descriptor.number
    var user: UInt32 = 0
    var group: UInt32 = 0
    try checked("ask who is at the other end of a socket") {
      clinux_peer_credentials(number, &processID, &user, &group)
    }
    userID = user
    groupID = group
  }

  /// Empty where the kernel does not say.
  static func supplementaryGroups(of descriptor: borrowing FileDescriptor) -> [UInt32] {
    var capacity = 64
    while capacity <= Groups.most {
      var groups = [UInt32](repeating: 0, count: capacity)
      let count = clinux_peer_groups(descriptor.number, &groups, UInt32(capacity))
      if count >= 0 { return Array(groups.prefix(Int(count))) }
      if errno != ERANGE { return [] }
      capacity *= 4
    }
    return []
  }
}
