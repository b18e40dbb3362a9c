import Testing

@testable import Sensors

@Suite struct MissingRightsTests {
  struct Case: Sendable {
    let rights: MissingRights
    /// What the remedy must name.
    let names: [String]
  }

  @Test(
    arguments: [
      Case(
        rights: MissingRights(hasRule: false, hasGroup: true, isMember: true, isGroups: true),
        names: ["udev rule 60-parallaxd.rules is missing", "make install"]),
      Case(
        rights: MissingRights(hasRule: true, hasGroup: false, isMember: false, isGroups: nil),
        names: ["group parallax-sensor is missing", "make install"]),
      Case(
        rights: MissingRights(hasRule: true, hasGroup: true, isMember: true, isGroups: false),
        names: ["not the group parallax-sensor's", "udevadm trigger"]),
      Case(
        rights: MissingRights(hasRule: true, hasGroup: true, isMember: false, isGroups: true),
        names: ["not in the group parallax-sensor", "SupplementaryGroups=", "usermod"]),
      Case(
        rights: MissingRights(hasRule: true, hasGroup: true, isMember: false, isGroups: nil),
        names: ["not in the group parallax-sensor"]),
      Case(
        rights: MissingRights(hasRule: true, hasGroup: true, isMember: true, isGroups: true),
        names: ["not writable", "udevadm trigger"]),
      Case(
        rights: MissingRights(isRoot: true, hasRule: false, hasGroup: false, isMember: false, isGroups: nil),
        names: ["ReadWritePaths=", "DeviceAllow="]),
    ])
  func theFirstThingThatIsMissing(one: Case) {
    let remedy = one.rights.remedy
    for name in one.names { #expect(remedy.contains(name), "\(remedy)") }
  }
}
