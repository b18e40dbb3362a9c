import CLinux
import Glibc

/// A long option of a command line, read with getopt_long(3).
package struct Option: Sendable {
  /// Without the dashes.
  package let name: String
  /// A one-letter form.
  package let letter: Character?
  /// Whether a value follows.
  package let takesValue: Bool

  package init(_ name: String, letter: Character? = nil, takesValue: Bool = false) {
    self.name = name
    self.letter = letter
    self.takesValue = takesValue
  }
}

/// A command line that cannot be followed; exit code 2.
package struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// What a command line says: options in their order, and the operands.
package struct ParsedArguments: Sendable {
  /// Option name and, where it takes one, its value.
  package var options: [(name: String, value: String)] = []
  package var operands: [String] = []

  /// The last value given for `name`.
  package func value(of name: String) -> String? { options.last { $0.name == name }?.value }

  package func has(_ name: String) -> Bool { options.contains { $0.name == name } }

  /// The program's arguments, without its name, as the kernel gave them. Swift's own `CommandLine` reads
  /// /proc/self/cmdline, and knows none where /proc is not mounted.
  ///
  /// - Throws: where one is not UTF-8: a String would hold another name of a file than was given.
  package static func ofProgram() throws(UsageError) -> [String] {
    var words: [String] = []
    while let word = clinux_argument(Int32(words.count + 1)) {
      guard let text = String(validatingCString: word) else {
        let shown = String(cString: word).printable(limit: 60)
        throw UsageError("argument \(words.count + 1) is not UTF-8 (\(shown)); give the file a name that is")
      }
      words.append(text)
    }
    return words
  }

  /// getopt keeps its state in globals: one command line at a time. What is guarded says whether one was read. (A
  /// value without a size lies at the object's head, where the thread sanitizer takes its use for a race.)
  private static let getopt = Guarded(false)

  /// Reads `arguments` (without the program's name). Options may stand before or after operands, except
  /// with `stopAtOperand`, where everything from the first operand on is left as operands.
  package init(_ arguments: [String], options known: [Option], stopAtOperand: Bool = false)
    throws(UsageError)
  {
    self = try Self.getopt.withLock { wasUsed in
      wasUsed = true
      return Self.parse(arguments, known, stopAtOperand)
    }.get()
  }

  private init() {}

  private static func parse(_ arguments: [String], _ known: [Option], _ stopAtOperand: Bool)
    -> Result<ParsedArguments, UsageError>
  {
    var words: [UnsafeMutablePointer<CChar>?] = ([""] + arguments).map { strdup($0) } + [nil]
    let names = known.map { strdup($0.name) }
    defer {
      for word in words { free(word) }
      for name in names { free(name) }
    }
    let table = table(of: known, names)
    let letters = (stopAtOperand ? "+:" : ":") + known.map(\.lettersForGetopt).joined()
    var parsed = ParsedArguments()
    var index: Int32 = 0
    var value: UnsafePointer<CChar>?
    var wrong: Int32 = 0
    var restart: Int32 = 1
    while true {
      let code = clinux_getopt(
        Int32(words.count - 1), &words, letters, table, restart, &index, &value, &wrong)
      restart = 0
      if code == -1 { break }
      guard let option = known.enumerated().first(where: { $1.isMeant(by: code, at: $0) })?.element else {
        // Of letters that share a word, the one at fault.
        let letter = (1..<128).contains(wrong) ? Unicode.Scalar(UInt32(wrong)) : nil
        let word = letter.map { "-\($0)" } ?? words[Int(index) - 1].map { String(cString: $0) } ?? ""
        return .failure(complaint(code: code, word: word, known))
      }
      let text = value.map { String(cString: $0) } ?? ""
      // As a variable of a script leaves it that was not set: no option means anything by that.
      if option.takesValue, text.isEmpty { return .failure(lack("--\(option.name)")) }
      parsed.options.append((option.name, text))
    }
    parsed.operands = words[Int(index)...].compactMap { $0.map { String(cString: $0) } }
    return .success(parsed)
  }

  /// The long options for getopt_long, and the end of them.
  private static func table(of known: [Option], _ names: [UnsafeMutablePointer<CChar>?]) -> [option] {
    known.indices.map { index in
      option(
        name: names[index], has_arg: known[index].takesValue ? required_argument : no_argument, flag: nil,
        val: Option.code(at: index))
    } + [option(name: nil, has_arg: 0, flag: nil, val: 0)]
  }

  private static func lack(_ word: String) -> UsageError {
    UsageError("\(word) needs a value; see --help")
  }

  private static func complaint(code: Int32, word: String, _ known: [Option]) -> UsageError {
    if code == Int32(UInt8(ascii: ":")) { return lack(word) }
    if let equals = word.firstIndex(of: "="),
      known.contains(where: { "--\($0.name)" == word[..<equals] && !$0.takesValue })
    {
      return UsageError("\(word[..<equals]) takes no value; see --help")
    }
    return UsageError("unknown option \(word.shownAsWord); see --help")
  }
}

extension Option {
  /// What getopt_long answers where it has met the name of the option at a place: above every letter.
  fileprivate static func code(at index: Int) -> Int32 { 1000 + Int32(index) }

  /// Whether getopt_long's answer is this option, which stands at `index`.
  fileprivate func isMeant(by code: Int32, at index: Int) -> Bool {
    code == Self.code(at: index) || letter?.asciiValue.map(Int32.init) == code
  }

  /// `c:` where a value follows the letter, `d` where none does.
  fileprivate var lettersForGetopt: String {
    letter.map { takesValue ? "\($0):" : "\($0)" } ?? ""
  }
}
