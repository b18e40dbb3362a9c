/// What one update did to the offset, so that another offset (a scene's own) can go the same way.
///
/// It is not the difference of two offsets: what a limit took away is still in it.
package struct Movement: Equatable, Sendable {
  /// What the decay towards neutral leaves; 1 where there is none.
  package var kept: Double = 1
  /// s: points, x to the right, y up; after gain and largest step, before the limit.
  package var step = Offset.neutral
  /// How often the step is made.
  package var repetitions: Int64 = 0
  package var bound = OffsetBound()

  package init(
    kept: Double = 1, step: Offset = .neutral, repetitions: Int64 = 0, bound: OffsetBound = OffsetBound()
  ) {
    self.kept = kept
    self.step = step
    self.repetitions = repetitions
    self.bound = bound
  }
}

/// L and how it is met: how far an offset may come from neutral, on each axis.
package struct OffsetBound: Equatable, Sendable {
  /// Points; may be infinite.
  package var limit: Double = .infinity
  package var mode: MotionSettings.LimitMode = .clamp

  package init(limit: Double = .infinity, mode: MotionSettings.LimitMode = .clamp) {
    self.limit = limit
    self.mode = mode
  }

  /// One coordinate of an offset after a step: near the limit an elastic one gives way outward.
  @inline(__always)
  package func moved(_ position: Double, by step: Double) -> Double {
    var step = step
    let isOutward = (step > 0 && position > 0) || (step < 0 && position < 0)
    if mode == .elastic, isOutward {
      // Not below 0: a reload may have drawn the limit inside the present offset.
      step *= max(0, 1 - position.magnitude / limit)
    }
    return clamped(position + step)
  }

  /// Inside ±limit.
  @inline(__always)
  package func clamped(_ position: Double) -> Double { position.clamped(to: limit) }
}

extension Double {
  /// Inside ±bound, and finite where the bound is not: only pans can come so far.
  @inline(__always)
  func clamped(to bound: Double) -> Double {
    let bound = Swift.min(bound, .greatestFiniteMagnitude)
    return Swift.min(Swift.max(self, -bound), bound)
  }
}

extension MotionSettings {
  package var offsetBound: OffsetBound { OffsetBound(limit: limit, mode: limitMode) }
}

extension Offset {
  /// The same, as a picture sees it that is turned counter-clockwise by 0, 90, 180 or 270 degrees.
  package func turned(by degrees: Int) -> Offset {
    switch degrees {  // 0 − …: a neutral offset must not become −0
    case 90: Offset(x: 0 - y, y: x)
    case 180: Offset(x: 0 - x, y: 0 - y)
    case 270: Offset(x: y, y: 0 - x)
    default: self
    }
  }
}
