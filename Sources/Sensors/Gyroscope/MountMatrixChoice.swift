import Motion

/// Which mount matrix holds, where it is from, and what is wrong with those that do not. Pure, but for the
/// reading of what is asked for.
///
/// A kernel's identity does not outrank a later matrix that is none: drivers print one where they know
/// nothing. One that is no rotation can only be right where somebody meant it for this gyroscope: most that
/// are published for accelerometers mirror an axis, since the sign of gravity is a matter of taste there.
struct MountMatrixChoice {
  /// A place where a matrix may stand.
  struct Candidate {
    /// The attribute or property, and whose it is where that is not the gyroscope itself.
    let source: String
    /// Whether it was meant for the gyroscope, not for another sensor of the same part.
    let isOwn: Bool
    /// What stands there; nil where there is nothing. Asked for only where no earlier candidate holds.
    let text: () -> String?
  }

  private(set) var matrix = Matrix3.identity
  /// `configuration`, the source of the candidate that holds, or `none`.
  private(set) var source = "none"
  /// A sentence each for people.
  private(set) var warnings: [String] = []

  /// - Parameters:
  ///   - configured: holds whatever it is; nil where the configuration names none.
  ///   - candidates: in the order of their rank.
  init(configured: Matrix3?, candidates: [Candidate]) {
    if let configured {
      (matrix, source) = (configured, "configuration")
      warnIfUsedAlthoughNoRotation("`mount_matrix` in [sensor]", configured)
      return
    }
    for candidate in candidates {
      guard let text = candidate.text() else { continue }
      if consider(candidate, text) { return }
    }
  }

  /// Whether it holds, and nothing after it is to be considered.
  private mutating func consider(_ candidate: Candidate, _ text: String) -> Bool {
    guard let found = AttributeText.mountMatrix(text) else {
      warnings.append(Self.isNone(candidate.source, text))
      return false
    }
    if found == .identity {
      if source == "none" { source = candidate.source }
      return false
    }
    if !candidate.isOwn, !found.isRotation {
      warnings.append(
        "\(candidate.source) is no rotation (its determinant is \(found.determinantText)) and tells nothing "
          + "of the gyroscope: it is left out; `parallaxctl doctor --axes` finds the axes")
      return false
    }
    (matrix, source) = (found, candidate.source)
    warnIfUsedAlthoughNoRotation(candidate.source, found)
    return true
  }

  /// What to say of a text that is no mount matrix.
  static func isNone(_ source: String, _ text: String) -> String {
    "\(source) is no mount matrix (\"\(text.prefix(80))\"): it is left out; `mount_matrix` in [sensor] sets one"
  }

  private mutating func warnIfUsedAlthoughNoRotation(_ what: String, _ matrix: Matrix3) {
    guard !matrix.isRotation else { return }
    warnings.append(
      "\(what) is no rotation (its determinant is \(matrix.determinantText)): it is used as it is; where the "
        + "picture moves the wrong way, `parallaxctl doctor --axes` finds the axes")
  }
}

extension Matrix3 {
  /// Whether it keeps volumes and hands: |det − 1| ≤ 0.01.
  fileprivate var isRotation: Bool { abs(determinant - 1) <= 0.01 }

  /// `-1.0`; a matrix of a driver has entries up to 1000, so this fits.
  fileprivate var determinantText: String { "\((determinant * 1000).rounded() / 1000)" }
}
