import Testing

@testable import Server
@testable import Wire

@Suite struct CallFlowTests {
  let empty = #"{"parameters":{}}"#

  @Test(arguments: [false, true])
  func repliesComeInOrder(lines: Bool) throws {
    let harness = try Harness()
    let client = try harness.connect(lines: lines)
    for number in 0..<5 { client.send(call: "Pan", "{\"x\":\(number),\"y\":0}") }
    client.send(call: "GetMotion")
    client.send(call: "Nothing")
    client.send(call: "Recenter")
    try harness.turn()
    let replies = client.receive()
    #expect(replies.count == 8)
    #expect(replies[..<5].allSatisfy { $0 == empty })
    #expect(replies[5].contains(#""sequence":-1"#))
    #expect(replies[6].contains("MethodNotFound"))
    #expect(replies[7] == empty)
    #expect(harness.delegate.log == (0..<5).map { "pan \(Double($0)) 0.0" } + ["recenter"])
    #expect(!client.isClosed)
  }

  @Test func eachCallIsAnswered() throws {
    let harness = try Harness()
    let client = try harness.connect()
    #expect(try harness.call(client, "org.varlink.service.GetInfo")[0].contains("org.parallaxd.Motion"))
    let description = try harness.call(
      client, "org.varlink.service.GetInterfaceDescription", #"{"interface":"org.parallaxd.Motion"}"#)
    #expect(description[0].contains("method Subscribe"))
    #expect(try harness.call(client, "GetStatus")[0].contains(#""connections":1"#))
    #expect(try harness.call(client, "SetReducedMotion", #"{"enabled":true}"#) == [empty])
    #expect(try harness.call(client, "SetReducedMotion", #"{"enabled":null}"#) == [empty])
    #expect(try harness.call(client, "Subscribe")[0].contains("ExpectedMore"))
    #expect(try harness.call(client, "a.B")[0].contains("InterfaceNotFound"))
    #expect(harness.delegate.log == ["reduced true", "reduced nil"])
    #expect(!client.isClosed)
  }

  @Test func onewayGetsNoReply() throws {
    let harness = try Harness()
    let client = try harness.connect()
    #expect(try harness.call(client, "Recenter", "{}", #""oneway":true"#) == [])
    #expect(try harness.call(client, "Nothing", "{}", #""oneway":true"#) == [])
    #expect(try harness.call(client, "Recenter") == [empty])
    #expect(harness.delegate.log == ["recenter", "recenter"])
  }

  @Test func callsBeforeAHangUpAreCarriedOut() throws {
    let harness = try Harness()
    let client = try harness.connect()
    client.send(call: "Recenter", "{}", #""oneway":true"#)
    client.send(call: "Pan", #"{"x":1,"y":2}"#)
    client.send(call: "Recenter")
    client.hangUp()
    try harness.turn()
    #expect(harness.delegate.log == ["recenter", "pan 1.0 2.0", "recenter"])
    #expect(harness.server.audience.connections == 0)
  }

  @Test func callsInManyPieces() throws {
    let harness = try Harness()
    let client = try harness.connect()
    for character in #"{"method":"org.parallaxd.Motion.Recenter"}"# + "\0" {
      client.send(String(character))
      try harness.turn()
    }
    #expect(client.receive() == [empty])
  }

  @Test(arguments: ["x", "{", #"{"method":1}"#, #"{"method":"a.B","more":1}"#, #"{"method":"a.B"}}"#, ""])
  func aMalformedMessageIsAnsweredAndEndsTheConnection(_ message: String) throws {
    let harness = try Harness()
    let client = try harness.connect()
    client.send(call: "Recenter")
    client.send(message + "\0")
    client.send(call: "Recenter")
    try harness.turn()
    let replies = client.receive()
    #expect(replies.count == 2)
    #expect(replies.first == empty)
    #expect(replies.last?.hasPrefix(#"{"error":"org.varlink.service.InvalidParameter""#) == true)
    #expect(client.isClosed)
    #expect(harness.delegate.log == ["recenter"])
    client.hangUp()
    try harness.turn()
    #expect(harness.server.sessions.isEmpty)
    #expect(harness.server.timerDeadline == .max)
  }

  @Test func halfClosedConnectionsAreServedToTheEnd() throws {
    let harness = try Harness()
    let client = try harness.connect(lines: true)
    client.send(call: "Recenter")
    client.send(call: "Recenter")
    client.halfClose()
    try harness.turn()
    #expect(client.receive() == [empty, empty])
    #expect(client.isClosed)
    #expect(harness.server.sessions.isEmpty)

    let cut = try harness.connect(lines: true)
    cut.send("{\"method\":")
    cut.halfClose()
    try harness.turn()
    #expect(cut.receive().isEmpty)  // no message has ended yet, so the answer ends in NUL
    #expect(cut.isClosed)
    #expect(harness.server.sessions.isEmpty)
  }

  @Test func aHoldLivesAsLongAsItsConnection() throws {
    let harness = try Harness()
    let first = try harness.connect()
    let second = try harness.connect()
    #expect(
      try harness.call(first, "SetReducedMotion", #"{"enabled":true}"#, #""more":true"#)
        == [#"{"parameters":{},"continues":true}"#])
    #expect(try harness.call(second, "SetReducedMotion", "{}", #""more":true"#).count == 1)
    // Nothing else is processed on it.
    #expect(try harness.call(first, "Recenter") == [])
    first.halfClose()
    try harness.turn()
    #expect(harness.delegate.log == ["holds 1", "holds 2"])
    first.hangUp()
    second.hangUp()
    try harness.turn()
    #expect(harness.delegate.log == ["holds 1", "holds 2", "holds 1", "holds 0"])
  }

  @Test func whoDoesNotReadGetsNoMoreReplies() throws {
    let harness = try Harness()
    let client = try harness.connect()
    var sent = 0
    // Descriptions until neither side takes any more: what waits on the server's side stays bounded.
    let call =
      #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.parallaxd.Motion"}}"#
    var stalled = 0
    while stalled < 3, sent < 2000 {
      let count = client.send(call + "\0")
      if count == call.utf8.count + 1 {
        sent += 1
        stalled = 0
      } else {
        stalled += 1
      }
      try harness.turn()
      if harness.server.sessions.values.contains(where: { $0.input.waiting >= 15 }) { break }
    }
    #expect(harness.server.timerDeadline != .max)
    var replies: [String] = []
    for _ in 0..<2000 where replies.count < sent {
      replies += client.receive()
      try harness.turn()
    }
    #expect(replies.count == sent)
    #expect(Set(replies).count == 1)
    #expect(!client.isClosed)
    #expect(harness.server.timerDeadline == .max)
  }
}
