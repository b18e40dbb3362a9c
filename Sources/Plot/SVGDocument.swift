/// What is added to the SVG that cairo writes, in which letters are shapes: a title and a description for who cannot
/// see it, and all texts once more, invisible, so that they can be searched, marked and copied.
enum SVGDocument {
  /// - Parameter bytes: of cairo; where they are not as expected they are left as they are.
  static func completed(_ bytes: [UInt8], title: String, description: String, texts: [PlacedText]) -> [UInt8]
  {
    let end = Array("</svg>".utf8)
    guard let start = headEnd(bytes), let tail = lastIndex(of: end, in: bytes), start <= tail else {
      return bytes
    }
    let head = "\n<title>\(escaped(title))</title>\n<desc>\(escaped(description))</desc>"
    var layer = "<g fill=\"none\" font-family=\"DejaVu Sans, sans-serif\">\n"
    for text in texts { layer += element(text) }
    layer += "</g>\n"
    return bytes[..<start] + Array(head.utf8) + bytes[start..<tail] + Array(layer.utf8) + bytes[tail...]
  }

  /// XML's five, and nothing else: control characters never come here (`printable()`), nor may they in XML.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  private static func element(_ text: PlacedText) -> String {
    let size = text.isUpright ? text.box.width / 1.2 : text.box.height / 1.2
    let length = number(text.isUpright ? text.box.height : text.box.width)
    let weight = text.style.isBold ? " font-weight=\"bold\"" : ""
    let (x, y) =
      text.isUpright
      ? (text.box.middleX + size * 0.36, text.box.bottom) : (text.box.left, text.box.middleY + size * 0.36)
    let turn = text.isUpright ? " transform=\"rotate(-90 \(number(x)) \(number(y)))\"" : ""
    return "<text x=\"\(number(x))\" y=\"\(number(y))\" font-size=\"\(number(size))\"\(weight)"
      + " textLength=\"\(length)\"\(turn)>\(escaped(text.text))</text>\n"
  }

  /// In eighths, as all of the picture.
  private static func number(_ pixels: Double) -> String { Canvas.snapped(pixels).plain }

  /// Behind `<svg …>`.
  private static func headEnd(_ bytes: [UInt8]) -> Int? {
    let mark = Array("<svg".utf8)
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }),
      let end = bytes[start...].firstIndex(of: UInt8(ascii: ">"))
    else { return nil }
    return end + 1
  }

  private static func lastIndex(of word: [UInt8], in bytes: [UInt8]) -> Int? {
    bytes.indices.last { bytes[$0...].starts(with: word) }
  }
}
