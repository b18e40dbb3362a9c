/// A rectangle in pixels, y down.
struct Box: Equatable, Sendable {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  init(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  var width: Double { right - left }
  var height: Double { bottom - top }
  var middleX: Double { (left + right) / 2 }
  var middleY: Double { (top + bottom) / 2 }

  func inset(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> Box {
    Box(self.left + left, self.top + top, self.right - right, self.bottom - bottom)
  }
}

/// A place in pixels, y down.
struct Point: Equatable, Sendable {
  var x: Double
  var y: Double

  init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}
