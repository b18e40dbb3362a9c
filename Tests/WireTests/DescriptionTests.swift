import Glibc
import Testing

@testable import Wire

@Suite struct DescriptionTests {
  /// The fields after `name: type` in a block of the description.
  func fieldNames(_ block: Substring) -> Set<String> {
    var names: Set<String> = []
    for line in block.split(separator: "\n") where !line.contains("#") {
      for part in line.split(whereSeparator: { "(,".contains($0) }) {
        let pieces = part.split(separator: ":")
        if pieces.count == 2 { names.insert(pieces[0].filter { !$0.isWhitespace }) }
      }
    }
    return names
  }

  /// The text from `start` to the closing bracket.
  func block(_ start: String) throws -> Substring {
    let text = InterfaceDescription.motion
    let begin = try #require(text.firstRange(of: start)).upperBound
    let end = try #require(text[begin...].firstIndex(of: ")"))
    return text[begin..<end]
  }

  /// The names of an object's members, in JSON that has no strings with colons in it.
  func memberNames(_ json: String) -> Set<String> {
    let parts = json.split(separator: "\"", omittingEmptySubsequences: false)
    return Set(
      parts.indices.filter { $0 + 1 < parts.count && parts[$0 + 1].hasPrefix(":") }.map { String(parts[$0]) })
  }

  /// For those who read the interface without a running daemon.
  @Test func theFileUnderDocsIsTheSame() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let file = try #require(fopen("/\(root)/docs/org.parallaxd.Motion.varlink", "r"))
    defer { fclose(file) }
    var content = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&content, 1, content.count, file)
    #expect(String(decoding: content[..<count], as: UTF8.self) == InterfaceDescription.motion)
  }

  @Test func everyMethodIsNamed() {
    for method in [
      "Subscribe", "GetMotion", "GetStatus", "Recenter", "Pan", "SetReducedMotion", "Calibrate", "OpenPage",
      "SubscribeRaw",
    ] {
      #expect(InterfaceDescription.motion.contains("\nmethod \(method)("), "\(method)")
    }
    for error in ["NoSensor", "DeviceMoved", "TooManySubscribers", "InvalidScene", "MessageTooLong"] {
      #expect(InterfaceDescription.motion.contains("\nerror \(error) ("), "\(error)")
    }
  }

  @Test func everyFieldOfAnEventIsNamed() throws {
    var buffer = JSONBuffer()
    buffer.append(EncodingTests.full)
    let inner: Set<String> = ["z"]
    let named = try fieldNames(block("method GetMotion() -> ("))
    #expect(memberNames(text(buffer.bytes)).subtracting(inner).subtracting(named).isEmpty)
    #expect(named.isSuperset(of: ["tilt", "scene"]))
  }

  @Test func everyFieldOfTheStatusIsNamed() throws {
    var status = Status(backend: "iio")
    status.settings = [.init(name: "a", value: "b")]
    var buffer = JSONBuffer()
    buffer.append(status)
    var named = try fieldNames(block("method GetStatus() -> ("))
    for type in ["Sensor", "Configuration", "Setting", "Counters"] {
      named.formUnion(try fieldNames(block("\ntype \(type) (")))
    }
    #expect(memberNames(text(buffer.bytes)) == named)
  }

  @Test func repliesOfTheService() throws {
    struct Info: Decodable, Sendable {
      var product: String
      var version: String
      var interfaces: [String]
    }
    struct Description: Decodable, Sendable { var description: String }
    var buffer = JSONBuffer()
    buffer.appendInfo(in: .varlink)
    let info = try Reply<Info>(decoding: buffer.bytes.dropLast()).parameters
    #expect(info.product == "parallaxd")
    #expect(info.version == parallaxVersion)
    #expect(info.interfaces == ["org.varlink.service", "org.parallaxd.Motion"])
    for name in info.interfaces {
      buffer.removeAll()
      buffer.appendDescription(of: name, in: .varlink)
      let reply = try Reply<Description>(decoding: buffer.bytes.dropLast())
      #expect(reply.parameters.description.contains("\ninterface \(name)\n"))
      #expect(reply.parameters.description == InterfaceDescription.text(of: name))
    }
    buffer.removeAll()
    buffer.appendDescription(of: "a.b", in: .varlink)
    #expect(throws: ReplyError.service(.interfaceNotFound("a.b"))) {
      _ = try Reply<Description>(decoding: buffer.bytes.dropLast())
    }
  }

  @Test func socketPaths() {
    #expect(SocketPath.forDaemon(userID: 0, runtimeDirectory: "/run/user/0") == "/run/parallaxd/socket")
    #expect(
      SocketPath.forDaemon(userID: 1000, runtimeDirectory: "/run/user/1000/")
        == "/run/user/1000/parallaxd/socket")
    #expect(SocketPath.forDaemon(userID: 1000, runtimeDirectory: nil) == nil)
    #expect(SocketPath.forDaemon(userID: 1000, runtimeDirectory: "relative") == nil)
    #expect(SocketPath.forClient(override: "/x", runtimeDirectory: "/r") == ["/x"])
    #expect(
      SocketPath.forClient(override: "", runtimeDirectory: "/r") == [
        SocketPath.system, "/r/parallaxd/socket",
      ])
    #expect(SocketPath.forClient(override: nil, runtimeDirectory: nil) == [SocketPath.system])
  }
}
