import CLinux
import CSystemd
import Glibc
import Handover
import Linux

/// The descriptors that the service manager hands over at the start, by their names: of the socket unit, and what
/// it kept of the daemon before (sd_listen_fds_with_names(3)). Whoever takes a number closes it.
struct PassedDescriptors {
  /// Of the listening socket: `FileDescriptorName=varlink`, or the only one.
  var listener: Int32?
  /// The handover file.
  var state: Int32?
  var connections: [Int32] = []
  var page: Int32?
  var pageWithRates: Int32?

  /// Takes them out of the environment, so that they are found once.
  static func take() -> PassedDescriptors {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_listen_fds_with_names(1, &names)
    var passed = PassedDescriptors()
    for index in 0..<Int(max(0, count)) {
      var name = ""
      if let text = names?[index] {
        name = String(cString: text)
        free(text)
      }
      passed.add(3 + Int32(index), named: name)  // SD_LISTEN_FDS_START
    }
    free(names)
    return passed
  }

  private mutating func add(_ number: Int32, named name: String) {
    switch Handover.Name(rawValue: name) {
    case .connection: connections.append(number)
    case .state where state == nil: state = number
    case .page where page == nil: page = number
    case .pageWithRates where pageWithRates == nil: pageWithRates = number
    case .state, .page, .pageWithRates: close(number)
    case nil:
      if name == "varlink" || listener == nil { listener = number }
    }
  }
}
