import Linux
import Wire

/// A stream of all updates, with rates if they may be seen.
struct EventStream {
  private(set) var hasRates: Bool

  init(hasRates: Bool) { self.hasRates = hasRates }

  var call: [UInt8] { Calls.subscribe(SubscriptionWishes(rates: hasRates, all: true, minInterval: nil)) }

  /// The event in a message; nil where rates were refused and are done without.
  mutating func event(_ message: [UInt8], _ connection: inout Connection) throws(CommandError) -> MotionEvent?
  {
    do throws(CommandError) {
      return try Replies.read(message, as: MotionEvent.self, from: connection.path)
    } catch {
      guard error.code == ExitCode.refused, hasRates else { throw error }
      hasRates = false
      try connection.send(call)
      return nil
    }
  }
}
