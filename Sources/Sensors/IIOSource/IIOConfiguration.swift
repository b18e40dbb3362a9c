import Motion
import Settings

/// What of the settings a gyroscope through libiio goes by.
package struct IIOConfiguration: Equatable, Sendable {
  /// Hz where neither a frequency nor an update interval is given, and every sample is an update.
  package static let defaultFrequency = 100.0

  package let sensor: SensorSettings
  /// T, nanoseconds.
  package let updateIntervalNanoseconds: Int64
  package let maxGapNanoseconds: Int64
  /// What earlier openings have shown.
  package var history = OpeningHistory()
  /// Whether iio-sensor-proxy is on the system bus, which turns the screen by an accelerometer.
  package var autoRotationRuns = false
  /// Whether samples are to have accelerations, where that can be.
  package var wantsAcceleration = false
  /// Where what is changed on a device is written down; nil: nowhere.
  package let statePlace: StatePlace?

  package init(sensor: SensorSettings, motion: MotionSettings, statePlace: StatePlace? = nil) {
    self.sensor = sensor
    self.statePlace = statePlace
    updateIntervalNanoseconds = motion.updateIntervalNanoseconds
    maxGapNanoseconds = motion.maxGapNanoseconds
  }

  /// Hz that the sensor is asked for: the configuration's, else two samples an update (2/T), else 100.
  package var frequencyAsked: Double {
    if let frequency = sensor.samplingFrequency { return frequency }
    guard updateIntervalNanoseconds > 0 else { return Self.defaultFrequency }
    return 2e9 / Double(updateIntervalNanoseconds)
  }

  /// G, nanoseconds, as the pipeline has it: a longer pause between two scans ends a stream.
  package func gapLimitNanoseconds(frequency: Double?) -> Int64 {
    let spacing = frequency.map { $0 > 0 ? Int64(min(3e9 / $0, 3 * 3600e9)) : 0 } ?? 0
    return max(maxGapNanoseconds, 3 * updateIntervalNanoseconds, spacing)
  }

  /// Setting up writes a dozen attributes; more time than this, and a driver hangs. For another machine libiio itself
  /// waits 5 s, and knows better what is wrong then. Nanoseconds.
  package var openingLimitNanoseconds: Int64 {
    max(sensor.readTimeoutNanoseconds, sensor.isOfThisMachine ? 5_000_000_000 : 10_000_000_000)
  }

  /// Nanoseconds between polled reads: min(T, max_gap/2); with T = 0 as often as asked.
  package var pollPeriodNanoseconds: Int64 {
    if updateIntervalNanoseconds > 0 { return max(1, min(updateIntervalNanoseconds, maxGapNanoseconds / 2)) }
    return max(1, Int64((1e9 / frequencyAsked).rounded()))
  }
}
