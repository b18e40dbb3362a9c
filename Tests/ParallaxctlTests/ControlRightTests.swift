import Testing
import Wire

@testable import parallaxctl

/// A refusal says what to do, with the group that the daemon goes by.
struct ControlRightTests {
  static let refusals: [(group: String?, end: String)] = [
    (
      "\"parallax-control\"",
      "and the group parallax-control: `sudo usermod -aG parallax-control ann`, then log in again, or use sudo"
    ),
    ("\"\"", "this is for root and its own user, since server.control_group is not set: use sudo"),
    // Nothing of the daemon's gets into a command, unless it is a name.
    ("\"a; reboot\"", "and the control group: use sudo"), ("\"-a\"", "and the control group: use sudo"),
    (nil, "and the control group: use sudo"),
  ]

  @Test(arguments: refusals.indices)
  func saysWhatToDo(_ index: Int) throws {
    let (group, end) = Self.refusals[index]
    var status = Status(backend: "iio")
    if let group { status.settings = [Status.Setting(name: "server.control_group", value: group)] }
    let text = try #require(ControlRight.refusal(from: "/s", status, user: "ann").message)
    #expect(text.hasPrefix("the daemon at /s refuses: this is for root") && text.hasSuffix(end), "\(text)")
    #expect(!text.contains("rate"))
  }
}
