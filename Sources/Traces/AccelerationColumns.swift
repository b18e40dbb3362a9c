import Motion

/// Where in a row the accelerations are, if the table has any beside the rates.
struct AccelerationColumns: Equatable, Sendable {
  /// From left to right; the role 0, 1, 2 is x, y, z.
  let slots: InlineArray<3, TraceLayout.Slot>
  /// m/s² per unit, of x, y and z.
  let scale: Vector3

  /// The standard acceleration of gravity, m/s².
  static let standardGravity = 9.80665

  /// - Parameter columns: of x, y and z, from 0.
  init(columns: [Int], scale: Vector3) {
    let sorted = TraceLayout.Slot.sorted(columns)
    slots = InlineArray { sorted[$0] }
    self.scale = scale
  }

  /// The columns of these names; nil unless each is there once.
  init?(names: [String], in fields: HeaderFields, scale: Double) {
    var columns: [Int] = []
    for name in names {
      guard let column = try? fields.column(named: name) else { return nil }
      columns.append(column)
    }
    self.init(columns: columns, scale: Vector3(repeating: scale))
  }

  static func == (a: AccelerationColumns, b: AccelerationColumns) -> Bool {
    a.scale == b.scale && a.slots.indices.allSatisfy { a.slots[$0] == b.slots[$0] }
  }
}

extension RowDecoder {
  /// The accelerations of a row, m/s²; nil where one is missing or no finite number, which breaks no row: rates do
  /// without.
  func acceleration(
    _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ columns: AccelerationColumns
  ) -> Vector3? {
    var read = Vector3.zero
    var mark = decimalMark
    var at = firstField(bytes, start, end)
    var column = 0
    var index = 0
    while index < 3 {
      let slot = columns.slots[index]
      guard skip(bytes, &at, end, &column, to: slot.column),
        let value = try? readValue(bytes, &at, end, &mark, role: 1)
      else { return nil }
      switch slot.role {
      case 0: read.x = value * columns.scale.x
      case 1: read.y = value * columns.scale.y
      default: read.z = value * columns.scale.z
      }
      index += 1
    }
    return read
  }
}
