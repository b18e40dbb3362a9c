import Motion

extension Matrix3 {
  /// The letters that `init(axisLetters:)` makes this matrix of, such as `yXz`; of any other matrix the
  /// nearest that such letters say.
  var axisLetters: String {
    [x, y, z].map { row in
      if row.x != 0 { return row.x > 0 ? "X" : "x" }
      if row.y != 0 { return row.y > 0 ? "Y" : "y" }
      return row.z < 0 ? "z" : "Z"
    }.joined()
  }
}
