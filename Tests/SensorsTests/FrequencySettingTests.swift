import Glibc
import IIO
import Testing

@testable import Sensors

/// What becomes of a frequency in the hands of drivers.
@Suite struct FrequencySettingTests {
  /// A driver: takes a text and says what it made of it.
  final class Driver {
    var text: String
    var written: [String] = []
    let take: (String) throws(IIOError) -> String

    init(_ text: String, take: @escaping (String) throws(IIOError) -> String) {
      self.text = text
      self.take = take
    }

    func read() throws(IIOError) -> String {
      if text.isEmpty { throw IIOError(code: EIO, operation: "read sampling_frequency") }
      return text
    }

    func write(_ new: String) throws(IIOError) {
      written.append(new)
      text = try take(new)
    }

    /// Sets a frequency; what came of it, and how often it was announced.
    func set(_ asked: Double, available: String? = nil) -> (setting: FrequencySetting, announced: Int) {
      var announced = 0
      let setting = FrequencySetting.set(
        asked: asked, available: available.flatMap { AvailableFrequencies($0) }, read: read, write: write,
        willWrite: { announced += 1 })
      return (setting, announced)
    }
  }

  /// As the HID sensors' drivers do: whole milliseconds.
  private static func hid(_ text: String) -> String {
    let milliseconds = (1000 / (AttributeText.number(text) ?? 1)).rounded(.down)
    return milliseconds == 0 ? "0.000000" : "\(1000 / milliseconds)"
  }

  @Test func isReadBack() {
    let driver = Driver("25") { _ in "99.900000" }
    let (setting, announced) = driver.set(100)
    #expect(setting == FrequencySetting(hertz: 99.9))
    #expect(driver.written == ["100"] && announced == 1)
  }

  @Test func isNotWrittenWhereItIsSo() {
    let driver = Driver("100.000") { $0 }
    let (setting, announced) = driver.set(66, available: "50 100")
    #expect(setting.hertz == 100 && driver.written.isEmpty && announced == 0)
  }

  @Test func halfOfWhatBecomesZero() {
    let driver = Driver("10") { Self.hid($0) }
    let (setting, announced) = driver.set(2000)
    #expect(setting.hertz == 1000)
    #expect(driver.written == ["2000", "1000"] && announced == 1)
    #expect(setting.notes.count == 1 && setting.notes[0].contains("made 0 of 2000 Hz: 1000 Hz"))
  }

  @Test func alwaysZero() {
    let driver = Driver("0") { _ in "0.000000" }
    let (setting, _) = driver.set(100)
    #expect(setting.hertz == nil && setting.notes.count == 1)
    #expect(driver.written.first == "100" && driver.written.last == "100")
  }

  @Test(arguments: ["", "12,5", "fast", "nan", "0x10"])
  func saysNothing(text: String) {
    let driver = Driver(text) { _ in text }
    let (setting, _) = driver.set(100)
    #expect(setting.hertz == nil && setting.notes.count == 1)
    #expect(driver.written == ["100"])
  }

  @Test func wholeNumbersOnly() {
    let driver = Driver("25") { text throws(IIOError) in
      if text.contains(".") { throw IIOError(code: EINVAL, operation: "write") }
      return text
    }
    let (setting, _) = driver.set(66.6)
    #expect(setting.hertz == 67 && setting.notes.isEmpty)
  }

  @Test(arguments: [EACCES, EBUSY, ENODEV, EINVAL])
  func isRefused(code: Int32) {
    let driver = Driver("25") { _ throws(IIOError) in throw IIOError(code: code, operation: "write") }
    let (setting, _) = driver.set(66.6)
    #expect(setting.hertz == 25)
    #expect(setting.notes.count == 1 && setting.notes[0].contains("stays as it is"))
    #expect(driver.written.count == (code == EINVAL ? 2 : 1))
  }
}
