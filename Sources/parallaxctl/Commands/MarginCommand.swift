import Linux
import Motion
import Scene
import Settings

/// `margin`: how much larger than what is seen a background must be. Needs no daemon and no sensor.
enum MarginCommand {
  /// The command line's part.
  struct Options: Equatable, Sendable {
    /// nil: the system's.
    var config: String?
    /// `section.key=value`, in order.
    var overrides: [String] = []
    /// A file or a name.
    var scene: String?
    /// What the scene has, or is to have.
    var layers: Int?
    var front = false
    var distanceFactor: Double?
    /// Points.
    var bounds: SceneDescription.Size?
    /// Points; the settings' where nil.
    var limit: Double?
    /// Degrees.
    var swing: Double = 20
  }

  static func run(_ options: Options) throws(CommandError) {
    let source = options.config.map(SettingsSource.file) ?? .system
    let settings = try CommandError.wrap(ExitCode.configuration) { () throws(SettingsError) in
      try Settings.load(source: source, overrides: options.overrides)
    }
    var scene = SceneDescription()
    if let word = options.scene { scene = try SceneArgument.description(word, beside: source) }
    if let layers = options.layers { scene.depths = Array(repeating: nil, count: layers) }
    scene.hasFront = scene.hasFront || options.front
    scene.distanceFactor = options.distanceFactor ?? scene.distanceFactor
    scene.bounds = options.bounds ?? scene.bounds
    var motion = settings.motion
    motion.limit = options.limit ?? motion.limit
    let margins = try CommandError.wrap(ExitCode.usage) { () throws(UsageError) in
      try Margins(
        scene, motion, swing: options.swing, limitName: options.limit == nil ? "motion.limit" : "--limit")
    }
    try StandardOutput.write(margins.text)
  }
}
