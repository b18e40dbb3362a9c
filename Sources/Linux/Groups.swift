import Glibc

/// The system's groups, and those that this process is in.
package enum Groups {
  /// The kernel's NGROUPS_MAX.
  package static let most = 65_536

  /// The number of a group; nil where there is none of that name. May be called from any thread.
  package static func id(named name: String) -> gid_t? {
    var entry = Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    // A group with thousands of members fills more; ERANGE says so.
    var room = [CChar](repeating: 0, count: 16 * 1024)
    while true {
      let code = getgrnam_r(name, &entry, &room, room.count, &found)
      if code == 0 { return found == nil ? nil : entry.gr_gid }
      guard code == ERANGE, room.count < 1 << 22 else { return nil }
      room = [CChar](repeating: 0, count: 4 * room.count)
    }
  }

  /// Those of this process, the effective one too.
  package static var ofThisProcess: Set<gid_t> {
    var groups = [gid_t](repeating: 0, count: most)
    let count = getgroups(Int32(groups.count), &groups)
    return Set(groups.prefix(Int(max(0, count)))).union([getegid()])
  }
}
