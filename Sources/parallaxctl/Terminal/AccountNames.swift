import Glibc
import Linux

/// Users and groups by their names; by their numbers where the system knows none.
enum AccountNames {
  static func user(_ id: uid_t) -> String {
    getpwuid(id).map { String(cString: $0.pointee.pw_name).printable() } ?? "\(id)"
  }

  static func group(_ id: gid_t) -> String {
    getgrgid(id).map { String(cString: $0.pointee.gr_name).printable() } ?? "\(id)"
  }
}
