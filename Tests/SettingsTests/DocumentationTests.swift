import Testing

@testable import Settings

/// `config/parallaxd.toml` and the manual page against the table: neither can go stale.
@Suite struct DocumentationTests {
  /// One documented default: the comment above it in one line, and the line itself.
  private struct Documented {
    var comment: String
    var value: String
  }

  /// Every `# name = value` of the configuration file that ends a comment, by full name.
  private func documented() throws -> [String: Documented] {
    var found: [String: Documented] = [:]
    var section = ""
    var comment: [Substring] = []
    for line in try projectText("config/parallaxd.toml").split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("["), line.hasSuffix("]") { section = String(line.dropFirst().dropLast()) }
      let parts = line.dropFirst(2).split(separator: " ", maxSplits: 2)
      if line.hasPrefix("# "), parts.count == 3, parts[1] == "=", !section.isEmpty {
        let name = "\(section).\(parts[0])"
        #expect(found[name] == nil, "\(name) is documented twice")
        found[name] = Documented(comment: comment.joined(separator: " "), value: String(parts[2]))
        comment = []
      } else if line.hasPrefix("# ") {
        comment.append(line.dropFirst(2))
      } else {
        comment = []
      }
    }
    return found
  }

  @Test func `every setting is in the file with what is allowed and its default, and no other`() throws {
    let found = try documented()
    #expect(Set(found.keys) == Set(SettingKey.all.map(\.name)))
    for key in SettingKey.all {
      let documented = try #require(found[key.name])
      #expect(documented.value == key.defaultText, "\(key.name)")
      #expect(documented.comment.hasSuffix("Allowed: \(key.allowed)."), "\(key.name): \(documented.comment)")
      #expect(documented.comment.count > key.allowed.count + 20, "\(key.name) says nothing")
    }
  }

  @Test func `the file as it is installed is the defaults and the control group`() throws {
    var expected = Settings()
    expected.server.controlGroup = "parallax-control"
    #expect(try settings(projectText("config/parallaxd.toml")) == expected)
  }

  @Test func `the file with every default taken out of its comment is the defaults`() throws {
    let text = try documented().map { "\($0.key) = \($0.value.value)" }.joined(separator: "\n")
    var expected = Settings()
    expected.isCalibrationConfigured = true
    #expect(try settings(text) == expected)
  }

  @Test func `every setting is in the manual page with what is allowed and its default`() throws {
    let page = try projectText("docs/man/parallaxd.toml.5").replacing("\\-", with: "-").replacing(
      "\\(dq", with: "\"")
    for key in SettingKey.all {
      let text = "\(key.key) = \(key.defaultText)"
      #expect(page.contains(".B \(text)\n"), "\(key.name)")
      #expect(page.contains("Allowed: \(key.allowed)."), "\(key.name)")
    }
    for section in SettingKey.sections { #expect(page.contains("[\(section)]"), "\(section)") }
  }
}
