/// One place where the offset has been.
struct TrailPoint: Equatable, Sendable {
  /// Points from neutral, to the right.
  var x: Double
  /// Points from neutral, up.
  var y: Double
  /// When it was seen: CLOCK_MONOTONIC, nanoseconds.
  var seenAtNanoseconds: Int64
}

/// Where the offset has been lately: at most `capacity` places, none older than `lifetimeNanoseconds`.
struct Trail: Equatable, Sendable {
  static let capacity = 256
  static let lifetimeNanoseconds: Int64 = 2_500_000_000

  /// From the oldest to the newest.
  private(set) var points: [TrailPoint] = []

  /// Adds a place and forgets what is too old. O(n) with n ≤ `capacity`.
  mutating func append(_ point: TrailPoint) {
    points.append(point)
    forget(before: point.seenAtNanoseconds)
    if points.count > Self.capacity { points.removeFirst(points.count - Self.capacity) }
  }

  /// Forgets all: the offset did not move to where it is next, it was set.
  mutating func clear() { points = [] }

  /// Drops what has faded by `now`; the newest place stays.
  mutating func forget(before now: Int64) {
    while points.count > 1, now - points[0].seenAtNanoseconds > Self.lifetimeNanoseconds {
      points.removeFirst()
    }
  }
}
