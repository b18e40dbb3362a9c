/// What makes a device take scans: the ways to read its buffer, tried one after another. Pure.
enum ScanStart: Equatable, Sendable {
  /// The part by itself, into a FIFO of its own; no trigger may be set.
  case fifo
  /// The driver by itself.
  case driver
  /// The trigger that is set.
  case current
  /// The trigger that its driver made.
  case own
  /// A timer's trigger that is made here.
  case hrtimer

  /// `the trigger that is set`
  var title: String {
    switch self {
    case .fifo: "the hardware's FIFO"
    case .driver: "the driver by itself"
    case .current: "the trigger that is set"
    case .own: "its own trigger"
    case .hrtimer: "a timer's trigger"
    }
  }

  /// What is known of a device's trigger.
  enum Trigger: Equatable, Sendable {
    case unsupported, none
    case set
    /// One that was made here, and left by a crash.
    case made
  }

  /// The ways in their order. A timer's trigger comes last: it takes scans that the part may not have yet, at
  /// twice the cost.
  static func order(isLocal: Bool, hasFIFO: Bool, trigger: Trigger, hasOwn: Bool) -> [ScanStart] {
    if trigger == .unsupported { return [hasFIFO ? .fifo : .driver] }
    var order: [ScanStart] = hasFIFO ? [.fifo] : []
    if trigger == .set { order.append(.current) }
    if hasOwn { order.append(.own) }
    if isLocal { order.append(.hrtimer) }
    return order
  }
}
