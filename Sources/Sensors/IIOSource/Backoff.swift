/// How long to wait before the next attempt: 1 s, doubled at each failure, 60 s at most. Pure.
package struct Backoff: Equatable, Sendable {
  private static let longest: Int64 = 60_000_000_000
  private var next: Int64 = 1_000_000_000

  package init() {}

  /// Nanoseconds until the next attempt.
  package mutating func delay() -> Int64 {
    defer { next = min(next * 2, Self.longest) }
    return next
  }

  /// Something worked.
  package mutating func reset() { self = Backoff() }
}
