import Testing

@testable import IIO

/// What libiio 0.24 takes, as its local.c has it; the outside tests ask libiio itself.
@Suite struct RefusedAttributeTests {
  @Test(arguments: [
    ("0\n", true), ("17\n", true), ("0x11\n", true), (" 3\n", true), ("3 of 4\n", true), ("12", true),
    // Read without its last byte.
    ("1", false), ("\n", false), ("nan\n", false), ("-1\n", false), ("99999999999999999999\n", false),
    // Not read at all, which libiio does not mind.
    ("", true),
  ])
  func indices(text: String, isTaken: Bool) {
    #expect((RefusedAttribute.fault(ofIndex: Array(text.utf8)) == nil) == isTaken)
  }

  @Test(arguments: [(0, false), (1, true), (1023, true), (1024, false)])
  func names(count: Int, isTaken: Bool) {
    #expect((RefusedAttribute.fault(ofName: [UInt8](repeating: 0x6e, count: count)) == nil) == isTaken)
  }

  @Test(arguments: [
    ("in_anglvel_x_index", true), ("in_anglvel_x_type", true), ("out_voltage0_en", true),
    ("in_anglvel_x_sign", false), ("other_x_en", false),
  ])
  func elements(name: String, isTaken: Bool) {
    #expect((RefusedAttribute.fault(ofElement: name) == nil) == isTaken)
  }
}
