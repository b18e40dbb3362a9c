import Glibc
import Linux

/// What stands between this user and a gyroscope, as far as files and groups tell.
package struct MissingRights: Equatable, Sendable {
  /// Who may read gyroscopes and set up their buffers; the udev rule hands them to it.
  package static let group = "parallax-sensor"
  private static let rule = "60-parallaxd.rules"
  private static let ruleFolders = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"].map {
    "\($0)/udev/rules.d"
  }

  package var isRoot: Bool
  /// Whether the udev rule is installed.
  package var hasRule: Bool
  /// Whether there is the group, and whether this process is in it.
  package var hasGroup: Bool
  package var isMember: Bool
  /// Whether the device's node is the group's; nil where the node is not known.
  package var isGroups: Bool?

  package init(isRoot: Bool = false, hasRule: Bool, hasGroup: Bool, isMember: Bool, isGroups: Bool?) {
    self.isRoot = isRoot
    self.hasRule = hasRule
    self.hasGroup = hasGroup
    self.isMember = isMember
    self.isGroups = isGroups
  }

  /// Looks at this machine.
  ///
  /// - Parameter node: `/dev/iio:device0`
  init(node: String?) {
    isRoot = geteuid() == 0
    hasRule = Self.ruleFolders.contains { access("\($0)/\(Self.rule)", F_OK) == 0 }
    let id = Groups.id(named: Self.group)
    hasGroup = id != nil
    isMember = id.map(Groups.ofThisProcess.contains) ?? false
    var status = stat()
    if let node, let id, stat(node, &status) == 0 {
      isGroups = status.st_gid == id
    } else {
      isGroups = nil
    }
  }

  /// What to do, for the end of a sentence.
  package var remedy: String {
    if isRoot {
      return "root has all rights, so a container or the unit forbids it (ReadWritePaths=, DeviceAllow=)"
    }
    let otherwise = "or run it as root"
    if !hasRule || !hasGroup {
      let what = hasGroup ? "the udev rule \(Self.rule)" : "the group \(Self.group)"
      return
        "\(what) is missing: `make install` puts it there (then `systemd-sysusers` and `udevadm trigger`), "
        + otherwise
    }
    if isGroups == false {
      return "the device is not the group \(Self.group)'s, although the udev rule \(Self.rule) says so: "
        + "`udevadm control --reload && udevadm trigger --subsystem-match=iio`, \(otherwise)"
    }
    if !isMember {
      return
        "this user is not in the group \(Self.group): the unit has SupplementaryGroups=\(Self.group), a user "
        + "needs `usermod -aG \(Self.group) USER` and a new login, \(otherwise)"
    }
    return "the group \(Self.group) is there and this user in it, but the attributes are not writable: "
      + "`udevadm trigger --subsystem-match=iio`; a container or a unit may also forbid it"
  }
}
