import CIIO

/// One quantity that a device measures, such as the rate about x; valid as long as its `Context` lives.
package struct Channel {
  let handle: OpaquePointer
  let deviceID: String
  /// nil for a channel of a device of this machine.
  let connection: Connection?

  /// `anglvel_x`
  package var id: String { text(iio_channel_get_id(handle)) ?? "" }

  /// Whether it can be part of a buffer's scans.
  package var isScanElement: Bool {
    iio_channel_is_scan_element(handle) && iio_channel_get_index(handle) >= 0
  }

  /// Whether it is one of a device of this machine.
  package var isLocal: Bool { isLocalContext(iio_device_get_context(iio_channel_get_device(handle))) }

  package var isOutput: Bool { iio_channel_is_output(handle) }

  /// Its place in a scan; negative where it has none.
  package var index: Int { iio_channel_get_index(handle) }

  /// How its values lie in a scan, or why that cannot be.
  package func format() throws(SampleFormatError) -> SampleFormat {
    guard let format = iio_channel_get_data_format(handle)?.pointee else {
      throw SampleFormatError("\(id) has no format")
    }
    return try SampleFormat(
      isBigEndian: format.is_be, isSigned: format.is_signed, bits: Int(format.bits),
      storageBits: Int(format.length), shift: Int(format.shift), repeatCount: Int(format.repeat),
      isFullyDefined: format.is_fully_defined)
  }

  /// Whether the channel has the attribute, its own or shared with others of its kind.
  package func hasAttribute(_ name: String) -> Bool { iio_channel_find_attr(handle, name) != nil }

  /// The file that holds the attribute, which tells whether it is shared: `in_anglvel_scale` is, and
  /// `in_anglvel_x_scale` is not.
  package func fileName(of attribute: String) -> String? {
    text(iio_channel_attr_get_filename(handle, attribute))
  }

  /// The text of an attribute without the line's end. May block for seconds.
  package func read(_ attribute: String) throws(IIOError) -> String {
    try readText(connection, "read \(name(of: attribute))") {
      iio_channel_attr_read(handle, attribute, $0, $1)
    }
  }

  /// Writes the text of an attribute that exists.
  package func write(_ attribute: String, _ text: String) throws(IIOError) {
    try connection.checked("write \(text) to \(name(of: attribute))") {
      iio_channel_attr_write(handle, attribute, text)
    }
  }

  /// Whether the next buffer's scans have this channel in them.
  package func setEnabled(_ enabled: Bool) {
    if enabled { iio_channel_enable(handle) } else { iio_channel_disable(handle) }
  }

  private func name(of attribute: String) -> String {
    "\(fileName(of: attribute) ?? "\(id) \(attribute)") of \(deviceID)"
  }
}

extension Channel {
  /// libiio's own conversion of one value, to measure ours against: `source` holds the value as in a scan,
  /// `result` has room for as many bytes.
  package func convert(_ source: UnsafeRawPointer, into result: UnsafeMutableRawPointer) {
    iio_channel_convert(handle, result, source)
  }
}
