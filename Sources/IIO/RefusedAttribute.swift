import CLinux
import Glibc
import Linux

/// What makes libiio 0.24 refuse a whole machine: one attribute of one device, in whose place it looks for
/// something else (`create_device` and below it in its local.c). It does not say which one it is.
package struct RefusedAttribute: Equatable, Sendable {
  /// `iio:device0`
  package let device: String
  /// A file in its folder: `scan_elements/in_anglvel_x_index`.
  package let attribute: String
  /// `is "nan", which is no index`
  package let fault: String

  private static let folder = "/sys/bus/iio/devices"
  /// Of a machine, and of files in a folder: more than any has.
  private static let mostEntries = 1000
  /// What libiio has room for; a file of that size is too large for it.
  private static let room = 1024

  /// Looks for it among this machine's devices; nothing is changed. May block for seconds, as a driver does.
  package static func find() -> RefusedAttribute? {
    for device in entries(of: folder) where !device.hasPrefix(".") {
      let path = "\(folder)/\(device)"
      if let (attribute, fault) = refused(in: path) {
        return RefusedAttribute(device: device, attribute: attribute, fault: fault)
      }
    }
    return nil
  }

  private static func refused(in device: String) -> (attribute: String, fault: String)? {
    for folder in ["", "buffer/", "scan_elements/"] {
      for name in entries(of: "\(device)/\(folder)") {
        if let fault = fault(of: name, in: folder, at: "\(device)/\(folder)\(name)") {
          return (folder + name, fault)
        }
      }
    }
    return nil
  }

  private static func fault(of name: String, in folder: String, at path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return "cannot be looked at (\(String(cString: strerror(errno))))" }
    // What is no regular file libiio passes over.
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    switch folder {
    case "" where name == "name" || name == "label":
      do throws(SystemError) {
        return fault(ofName: try SmallFile.contents(of: path, limit: room))
      } catch {
        return "cannot be read (\(String(cString: strerror(error.code))))"
      }
    case "scan_elements/":
      if let fault = fault(ofElement: name) { return fault }
      guard name.hasSuffix("_index"), let bytes = try? SmallFile.contents(of: path, limit: room) else {
        return nil
      }
      return fault(ofIndex: bytes)
    default: return nil
    }
  }

  private static func entries(of folder: String) -> [String] {
    ((try? Folder.entries(of: folder, limit: mostEntries)) ?? [])
  }
}

// Pure.
extension RefusedAttribute {
  /// Why libiio does not take the content of a `name` or a `label`; nil where it does.
  static func fault(ofName bytes: [UInt8]) -> String? {
    if bytes.isEmpty { return "is empty" }
    return bytes.count >= room ? "is longer than \(room - 1) bytes" : nil
  }

  /// Why libiio does not take a file among the scan elements; nil where it does.
  static func fault(ofElement name: String) -> String? {
    let isOfChannel = name.hasPrefix("in_") || name.hasPrefix("out_")
    return isOfChannel && ["_index", "_type", "_en"].contains(where: name.hasSuffix)
      ? nil : "is no scan element's index, type or en"
  }

  /// Why libiio does not take the content of an index; nil where it does. It takes one that it cannot read.
  static func fault(ofIndex bytes: [UInt8]) -> String? {
    guard !bytes.isEmpty, bytes.count < room else { return nil }
    // As libiio reads it: without the last byte, which is to be the line's end.
    let text = String(decoding: bytes.dropLast().prefix { $0 != 0 }, as: UTF8.self)
    let isIndex = text.withCString { start in
      var end: UnsafeMutablePointer<CChar>?
      errno = 0
      let value = strtoll(start, &end, 0)
      return end.map { UnsafePointer($0) != start } ?? false && value >= 0 && errno != ERANGE
    }
    return isIndex ? nil : "is \"\(text.printable(limit: 40))\", which is no index"
  }
}

extension RefusedAttribute: CustomStringConvertible {
  /// `scan_elements/in_anglvel_x_index of iio:device0 is "nan", which is no index`
  package var description: String { "\(attribute) of \(device) \(fault)" }
}
