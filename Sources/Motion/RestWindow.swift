/// The sums of the samples that may be rest: six blocks, of which the last is open.
struct RestWindow: Equatable, Sendable {
  /// The least of a block: nanoseconds from its first sample to its last, and samples.
  private static let blockNanoseconds: Int64 = 250_000_000
  private static let blockSamples = 4
  private static let blocks = 6
  /// Scans one after another that are like the one before: a sensor that is a little coarse, and slow, may rest for as
  /// many.
  private static let longestRun = 15

  private var x = Axis()
  private var y = Axis()
  private var z = Axis()
  /// Nanoseconds, of the first sample of the window and of the open block.
  private(set) var start: Int64 = 0
  private(set) var blockStart: Int64 = 0
  /// Samples in closed blocks, and closed blocks.
  private var count = 0
  private var closed = 0
  /// Samples in the open block, and how many of them differ from the one before.
  private var blockCount = 0
  private var changes = 0
  /// How many scans up to the newest are like the one before.
  private var run = 0
  /// The scan before; means nothing where there is none.
  private var previous = Vector3.zero
  private var hasPrevious = false
  /// The smallest change on an axis that was seen in this window, rad/s: what the sensor resolves.
  private var step = Double.infinity

  /// A rate of the open block, rad/s; times grow.
  @inline(__always)
  mutating func add(_ rate: Vector3, at timestamp: Int64) {
    if blockCount == 0 {
      blockStart = timestamp
      if closed == 0 {
        start = timestamp
        x.pivot = rate.x
        y.pivot = rate.y
        z.pivot = rate.z
      }
    }
    if hasPrevious, rate == previous {
      run += 1
    } else if hasPrevious {
      changes += 1
      run = 0
      see(step: rate.x - previous.x)
      see(step: rate.y - previous.y)
      see(step: rate.z - previous.z)
    }
    previous = rate
    hasPrevious = true
    blockCount += 1
    x.add(rate.x)
    y.add(rate.y)
    z.add(rate.z)
  }

  @inline(__always)
  private mutating func see(step difference: Double) {
    if difference != 0, difference.magnitude < step { step = difference.magnitude }
  }

  /// Whether the open block has lasted long enough, and has enough samples.
  @inline(__always)
  func isBlockFull(at timestamp: Int64) -> Bool {
    blockCount >= Self.blockSamples && timestamp &- blockStart >= Self.blockNanoseconds
  }

  /// What a block was.
  enum Block: Equatable, Sendable {
    case calm
    /// In the midst of motion.
    case restless
    /// All scans are the same, and those before it: a sensor that hangs.
    case frozen
  }

  /// Ends the open block; with one that is not calm the window is not worth going on with.
  mutating func closeBlock() -> Block {
    let size = blockCount
    let isFrozen = changes == 0 && run >= Self.longestRun
    blockCount = 0
    changes = 0
    closed += 1
    count += size
    let isCalm = x.closeBlock(of: size) && y.closeBlock(of: size) && z.closeBlock(of: size)
    return isFrozen ? .frozen : isCalm ? .calm : .restless
  }

  var isFull: Bool { closed == Self.blocks }

  /// The next sample begins a window; nothing is before it.
  mutating func clear() { self = RestWindow() }

  /// What a full window comes to on each axis. The next sample begins a window of the same stream.
  mutating func takeMeans() -> (x: Means, y: Means, z: Means) {
    defer { clearSums() }
    return (
      x.means(of: count, step: step), y.means(of: count, step: step), z.means(of: count, step: step)
    )
  }

  private mutating func clearSums() {
    let (last, lastRun) = (previous, run)
    clear()
    previous = last
    hasPrevious = true
    run = lastRun
  }

  /// One axis. Sums are of the differences from the window's first sample, so that a large bias costs no precision.
  struct Axis: Equatable, Sendable {
    /// The window's first sample, rad/s.
    var pivot = 0.0
    private var blockSum = 0.0
    private var blockSquares = 0.0
    /// Of all closed blocks: the samples, their means and the squares of these, and the squares of the samples'
    /// differences from their block's mean.
    private var sum = 0.0
    private var means = 0.0
    private var squaredMeans = 0.0
    private var within = 0.0

    @inline(__always)
    mutating func add(_ value: Double) {
      let difference = value - pivot
      blockSum += difference
      blockSquares += difference * difference
    }

    /// - Returns: whether the block may be of a resting sensor at all.
    mutating func closeBlock(of size: Int) -> Bool {
      let mean = blockSum / Double(size)
      let squares = max(0, blockSquares - blockSum * mean)
      sum += blockSum
      means += mean
      squaredMeans += mean * mean
      within += squares
      blockSum = 0
      blockSquares = 0
      return squares / Double(size - 1) <= 4 * Means.mostNoise
    }

    /// Of a window that is full: `count` samples, of a sensor that resolves `step`.
    func means(of count: Int, step: Double) -> Means {
      let blocks = Double(RestWindow.blocks)
      let samples = Double(count)
      let noise = within / (samples - blocks)
      let spread = max(0, squaredMeans - means * means / blocks) / (blocks - 1)
      // What both say of the mean's variance; and what rounding hides, where the noise does not dither it.
      var variance = max(noise / samples, spread / blocks) + 1e-12
      if 4 * noise < step * step { variance += step * step / 12 }
      return Means(
        mean: pivot + sum / samples, noise: noise, spread: spread, expected: noise / (samples / blocks),
        variance: variance)
    }
  }

  /// What an axis of a full window comes to.
  struct Means: Equatable, Sendable {
    /// rad/s.
    let mean: Double
    /// The variance of samples within a block, (rad/s)².
    let noise: Double
    /// The variance of the blocks' means, and what it were with nothing but white noise.
    let spread: Double
    let expected: Double
    /// Of `mean`.
    let variance: Double

    /// (0.02 rad/s)²: no gyroscope at rest is that noisy, and no hand that holds one moves less for long.
    static let mostNoise = 4e-4
    /// (0.0015 rad/s)²: blocks' means may always differ by that. Noise that is filtered before it is sampled is not
    /// white.
    private static let freeSpread = 2.25e-6

    /// False with anything that is not a number.
    func isStill(_ maxBias: Double) -> Bool {
      mean.magnitude <= maxBias && noise <= Self.mostNoise && spread <= max(5 * expected, Self.freeSpread)
    }

    /// Three standard deviations of what the sensor has at rest, and 0.0005 rad/s for one that has none.
    func isQuiet(beside floor: Double) -> Bool { noise <= 9 * floor + 2.5e-7 }
  }
}
