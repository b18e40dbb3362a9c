import CPage
import Handover
import Linux
import Page
import Wire

/// The pages that clients have open: at most two, one with rates for those who may see them and one without.
/// A page that nobody has open is not there, and not written.
struct Pages: ~Copyable {
  typealias Kind = PageKind

  private var withRates: PageWriter?
  private var withoutRates: PageWriter?
  /// Whether there is any.
  private(set) var isOpen = false

  /// A descriptor of a page for one more client; the page is made where there is none yet.
  ///
  /// - Parameter event: what the page says from the beginning.
  mutating func open(_ kind: Kind, present event: MotionEvent) throws(SystemError) -> FileDescriptor {
    switch kind {
    case .withRates: try Self.open(&withRates, PageFrame(event, withRate: true))
    case .withoutRates: try Self.open(&withoutRates, PageFrame(event, withRate: false))
    }
  }

  private static func open(
    _ page: inout PageWriter?, _ frame: PageFrame
  ) throws(SystemError) -> FileDescriptor {
    if let descriptor = try page?.openForReading() { return descriptor }
    let made = try PageWriter(frame)
    let descriptor = try made.openForReading()
    page = consume made
    return descriptor
  }

  /// Takes up a page of a daemon before this one; its readers go on.
  ///
  /// - Parameter event: written at once, over whatever that daemon was in the midst of.
  mutating func takeUp(
    _ kind: Kind, owning descriptor: consuming FileDescriptor, present event: MotionEvent
  ) throws(SystemError) {
    let page = try PageWriter(takingUp: descriptor, PageFrame(event, withRate: kind == .withRates))
    switch kind {
    case .withRates: withRates = consume page
    case .withoutRates: withoutRates = consume page
    }
  }

  /// The memfd of a page, to be kept over a restart; nil where there is none.
  func descriptor(of kind: Kind) -> Int32? {
    switch kind {
    case .withRates: Self.number(of: withRates)
    case .withoutRates: Self.number(of: withoutRates)
    }
  }

  private static func number(of page: borrowing PageWriter?) -> Int32? {
    switch page {
    case .some(let page): page.descriptor.number
    case .none: nil
    }
  }

  /// Writes an event once into each page, however many read it. Allocates nothing.
  func publish(_ event: MotionEvent) {
    guard isOpen else { return }
    withRates?.write(PageFrame(event, withRate: true))
    withoutRates?.write(PageFrame(event, withRate: false))
  }

  /// Somebody has a page open now.
  mutating func didOpen() { isOpen = true }

  /// Gives up a page. Who still has it mapped sees that nothing moves any more, and no rates.
  mutating func close(_ kind: Kind, present event: MotionEvent) {
    var event = event
    event.state = .idle
    event.reason = nil
    event.velocityX = 0
    event.velocityY = 0
    let last = PageFrame(event, withRate: false)
    switch kind {
    case .withRates:
      withRates?.write(last)
      withRates = nil
    case .withoutRates:
      withoutRates?.write(last)
      withoutRates = nil
    }
  }

  /// Nobody has any open.
  mutating func didCloseAll() { isOpen = false }
}

extension PageFrame {
  /// An event as the page says it, written now.
  init(_ event: MotionEvent, withRate: Bool) {
    self.init()
    sequence = event.sequence
    timestamp_ns = event.timestampNanoseconds
    published_monotonic_ns = MonotonicClock.nanoseconds
    x = event.x
    y = event.y
    velocity_x = Self.usable(event.velocityX)
    velocity_y = Self.usable(event.velocityY)
    if withRate, let rate = event.rate {
      setRate((Self.usable(rate.x), Self.usable(rate.y), Self.usable(rate.z)))
    }
    if let tilt = event.tilt { setTilt((tilt.x, tilt.y)) }
    setState(
      event.state.onPage, event.reason?.onPage ?? PARALLAX_REASON_NONE, reducedMotion: event.reducedMotion)
  }

  /// A reader refuses a record with a number that nobody could draw. What two scans a nanosecond apart say
  /// of the velocity is none; the offset is still good then.
  private static func usable(_ value: Double) -> Double {
    value.magnitude <= PARALLAX_LARGEST ? value : 0
  }
}

extension MotionState {
  /// Its number on the page.
  fileprivate var onPage: parallax_state {
    switch self {
    case .idle: PARALLAX_STATE_IDLE
    case .starting: PARALLAX_STATE_STARTING
    case .running: PARALLAX_STATE_RUNNING
    case .reduced: PARALLAX_STATE_REDUCED
    case .waiting: PARALLAX_STATE_WAITING
    case .stalled: PARALLAX_STATE_STALLED
    }
  }
}

extension StateReason {
  /// Its number on the page.
  fileprivate var onPage: parallax_reason {
    switch self {
    case .noDevice: PARALLAX_REASON_NO_DEVICE
    case .permission: PARALLAX_REASON_PERMISSION
    case .busy: PARALLAX_REASON_BUSY
    case .noData: PARALLAX_REASON_NO_DATA
    case .suspended: PARALLAX_REASON_SUSPENDED
    case .replayEnded: PARALLAX_REASON_REPLAY_ENDED
    case .configuration: PARALLAX_REASON_CONFIGURATION
    case .user: PARALLAX_REASON_USER
    }
  }
}
