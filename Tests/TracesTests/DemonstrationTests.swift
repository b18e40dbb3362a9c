import Motion
import Testing

@testable import Traces

struct DemonstrationTests {
  @Test func driftProbe() {
    var ox = 0.0
    var oy = 0.0
    var maxx = 0.0
    var sx = 0.0
    var sy = 0.0
    for i in 0..<Int64(2400 * 2000) {
      let s = Demonstration.sample(i)
      sx += s.raw.x * Demonstration.scale
      sy += s.raw.y * Demonstration.scale
      if i % 6 == 5 {
        sx /= 6
        sy /= 6
        if abs(sy) > 0.1 { ox += sy * 2.5 }
        if abs(sx) > 0.1 { oy += sx * 2.5 }
        sx = 0
        sy = 0
        maxx = max(maxx, abs(ox))
      }
      if i % (2400 * 100) == 2399 {
        print("cycle", i / 2400, ox, oy, maxx)
        maxx = 0
      }
    }
  }
}
