import CLinux
import Glibc
import Linux

/// The terminal while a picture is on it: the alternate screen, no cursor, no echo. Restored at the end.
struct Screen: ~Copyable {
  let style: PictureStyle
  /// How the keyboard was set; nil where standard input is no terminal.
  private let keyboard: termios?

  /// Whether standard output can be drawn on: a terminal that knows how to place a cursor.
  static func isDrawable(environment: (String) -> String?) -> Bool {
    guard StandardOutput.isTerminal, let kind = environment("TERM") else { return false }
    return !kind.isEmpty && kind != "dumb"
  }

  init(environment: (String) -> String?) throws(CommandError) {
    style = Self.style(environment)
    var settings = termios()
    keyboard = tcgetattr(STDIN_FILENO, &settings) == 0 ? settings : nil
    try enter()
  }

  /// NO_COLOR (no-color.org) forbids colours whatever it says, unless empty; the locale's character set is
  /// where locale(7) finds it.
  static func style(_ environment: (String) -> String?) -> PictureStyle {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty } ?? ""
    let characters = locale.uppercased()
    return PictureStyle(
      hasColour: (environment("NO_COLOR") ?? "").isEmpty,
      hasUnicode: characters.contains("UTF-8") || characters.contains("UTF8"))
  }

  /// Takes the terminal, also after a stop by Ctrl-Z.
  func enter() throws(CommandError) {
    if var settings = keyboard {
      settings.c_lflag &= ~tcflag_t(ECHO | ICANON)
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
    try StandardOutput.write("\u{1b}[?1049h\u{1b}[?25l\u{1b}[2J")
  }

  /// Gives the terminal back as it was.
  func leave() {
    // If this cannot be written there is no terminal left to restore.
    try? StandardOutput.write("\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l")
    if var settings = keyboard { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
  }

  deinit { leave() }

  /// Columns and rows, as they are now.
  var size: (columns: Int, rows: Int) {
    var window = winsize()
    guard clinux_ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return (80, 24) }
    return (min(Int(window.ws_col), 500), min(Int(window.ws_row), 200))
  }

  /// Makes the screen show a picture, in one write.
  ///
  /// - Parameter old: what it shows; nil: nothing that is known.
  func show(_ picture: Canvas, over old: Canvas?) throws(CommandError) {
    let changes = picture.changes(from: old, hasColour: style.hasColour)
    if !changes.isEmpty { try StandardOutput.write(changes) }
  }

  /// Whether a key is waiting: the descriptor to watch, where there is a keyboard.
  var keyboardDescriptor: Int32? { keyboard == nil ? nil : STDIN_FILENO }

  /// The keys that were pressed.
  func keys() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
      count = max(0, read(STDIN_FILENO, buffer.baseAddress, buffer.count))
    }
  }
}
