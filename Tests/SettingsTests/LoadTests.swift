import Glibc
import Settings
import TestSupport
import Testing

@Suite struct LoadTests {
  private func failure(
    _ source: SettingsSource, _ overrides: [String] = [], directory: String = "/nonexistent"
  ) -> SettingsError? {
    do {
      _ = try Settings.load(source: source, overrides: overrides, systemDirectory: directory)
      return nil
    } catch {
      return error
    }
  }

  @Test func `built-in settings read nothing`() throws {
    #expect(try Settings.load(source: .builtIn) == Settings())
  }

  @Test func `a file that is named alone is read alone`() throws {
    let directory = try TemporaryFolder()
    let path = try directory.write("my.toml", "motion.threshold = 0.5")
    try directory.write("parallaxd.toml", "motion.limit = 3")
    let read = try Settings.load(source: .file(path), systemDirectory: directory.path)
    #expect(read.motion.threshold == 0.5)
    #expect(read.motion.limit == .infinity)
    #expect(read.files == [path])
  }

  @Test func `the system's files are read in the order of their names, later ones win`() throws {
    let directory = try TemporaryFolder()
    let main = try directory.write(
      "parallaxd.toml", "motion.threshold = 0.1\nmotion.limit = 1\ntilt.range = 1")
    let second = try directory.write("parallaxd.toml.d/20-b.toml", "motion.limit = 3")
    let first = try directory.write("parallaxd.toml.d/10-a.toml", "motion.limit = 2\nmotion.threshold = 0.2")
    try directory.write("parallaxd.toml.d/30-c.toml.bak", "motion.limit = 4")
    try directory.write("parallaxd.toml.d/.40-d.toml", "motion.limit = 5")
    let read = try Settings.load(
      source: .system, overrides: ["tilt.range = 0.5", "tilt.range=0.6"], systemDirectory: directory.path)
    #expect(read.files == [main, first, second])
    #expect(read.motion.limit == 3)
    #expect(read.motion.threshold == 0.2)
    #expect(read.motion.tilt.range == 0.6)
  }

  @Test func `no file at all is the built-in settings`() throws {
    let directory = try TemporaryFolder()
    #expect(try Settings.load(source: .system, systemDirectory: directory.path) == Settings())
    try directory.write("parallaxd.toml.d/a.toml", "motion.limit = 2")
    #expect(try Settings.load(source: .system, systemDirectory: directory.path).motion.limit == 2)
  }

  @Test func `a drop-in that is a link to /dev/null is left out`() throws {
    let directory = try TemporaryFolder()
    try directory.write("parallaxd.toml.d/a.toml", "motion.limit = 1")
    #expect(symlink("/dev/null", "\(directory.path)/parallaxd.toml.d/b.toml") == 0)
    let settings = try Settings.load(source: .system, systemDirectory: directory.path)
    #expect(settings.motion.limit == 1)
    #expect(settings.files.count == 1)
    unlink("\(directory.path)/parallaxd.toml.d/b.toml")
  }

  @Test func `a mistake names its file`() throws {
    let directory = try TemporaryFolder()
    let path = try directory.write("parallaxd.toml.d/a.toml", "\n\n[motion]\ntreshold = 2")
    let error = failure(.system, directory: directory.path)
    #expect(
      error?.description
        == "\(path):4:1: motion.treshold is not a setting; did you mean motion.threshold?")
  }

  @Test func `what is needed may come from another file, and where not, the place that needs it is named`()
    throws
  {
    let directory = try TemporaryFolder()
    let path = try directory.write("parallaxd.toml", "[sensor]\nbackend = \"replay\"")
    #expect(failure(.system, directory: directory.path)?.file == path)
    try directory.write("parallaxd.toml.d/a.toml", "sensor.replay_file = \"/tmp/x.csv\"")
    #expect(failure(.system, directory: directory.path) == nil)
    #expect(failure(.system, ["sensor.replay_file="], directory: directory.path)?.file == path)
  }

  @Test func `what is no readable regular file of at most 64 KiB is refused`() throws {
    let directory = try TemporaryFolder()
    #expect(failure(.file("\(directory.path)/none"))?.message == "cannot be read: No such file or directory")
    #expect(failure(.file(directory.path))?.message == "cannot be read: Is a directory")
    #expect(failure(.file("/dev/null"))?.message == "cannot be read: not a regular file")
    let fifo = try directory.makeFIFO("fifo")
    #expect(failure(.file(fifo))?.message == "cannot be read: not a regular file")
    let long = try directory.write("long.toml", String(repeating: "# 34567\n", count: 8192))
    #expect(failure(.file(long)) == nil)
    try directory.write("long.toml", String(repeating: "# 34567\n", count: 8192) + "#")
    #expect(failure(.file(long))?.message == "not TOML: longer than 65536 bytes")
  }

  @Test func `the number of files is bounded`() throws {
    let directory = try TemporaryFolder()
    for index in 0..<64 { try directory.write("parallaxd.toml.d/\(100 + index).toml", "") }
    #expect(failure(.system, directory: directory.path) == nil)
    try directory.write("parallaxd.toml.d/200.toml", "")
    #expect(failure(.system, directory: directory.path)?.file == "\(directory.path)/parallaxd.toml.d")
  }

  /// An override, the setting, and its value as it would stand in a file.
  @Test(arguments: [
    ("motion.threshold=0.2", "motion.threshold", "0.2"),
    ("sensor.backend=demo", "sensor.backend", "\"demo\""),
    ("sensor.replay_speed=max", "sensor.replay_speed", "\"max\""),
    ("sensor.replay_speed=\"max\"", "sensor.replay_speed", "\"max\""),
    ("sensor.replay_speed=4", "sensor.replay_speed", "4.0"), ("motion.limit = inf", "motion.limit", "inf"),
    ("sensor.device=123", "sensor.device", "\"123\""), ("sensor.device=true", "sensor.device", "\"true\""),
    ("sensor.device='a b'", "sensor.device", "\"a b\""), ("sensor.device=", "sensor.device", "\"\""),
    ("sensor.replay_file=/tmp/a=b #1.csv", "sensor.replay_file", "\"/tmp/a=b #1.csv\""),
    ("motion.invert_x=true", "motion.invert_x", "true"), ("sensor.axes=yXz", "sensor.axes", "\"yXz\""),
    (
      "sensor.mount_matrix=[1,0,0,0,1,0,0,0,1]", "sensor.mount_matrix",
      "[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]"
    ),
  ])
  func `an override is TOML or a bare word`(override: String, name: String, value: String) throws {
    let read = try Settings.load(source: .builtIn, overrides: [override])
    #expect(inForce(read)[name] == value)
    #expect(read.files.isEmpty)
  }

  @Test(arguments: [
    ("motion.treshold=1", "--set: motion.treshold is not a setting; did you mean motion.threshold?"),
    ("motion.threshold", "--set: \"motion.threshold\" is no section.key=value, such as motion.threshold=0.2"),
    ("motion.threshold=", "--set: motion.threshold is \"\"; allowed: a number from 0 to 10 (rad/s)"),
    ("motion.threshold=1\nb=2", "--set: motion.threshold is \"1\\u000Ab=2\"; allowed: "),
    ("motion.multiplier=1e-400", "--set: motion.multiplier is \"1e-400\"; allowed: a number from 0 to 10000"),
    ("motion.threshold=0.1 # c\nx = 1", "--set: motion.threshold is \"0.1 # c\\u000Ax = 1\"; allowed: "),
    ("motion=1", "--set: motion is a section: "), ("=1", "--set:  is not a setting"),
    ("sensor.device=a\nb", "--set: sensor.device is \"a\\u000Ab\"; allowed: "),
    (
      "sensor.backend=replay", "--set: sensor.backend = \"replay\" needs sensor.replay_file, which is not set"
    ),
  ])
  func `a mistake in an override says so`(override: String, beginning: String) {
    let error = failure(.builtIn, [override])
    #expect(error?.description.hasPrefix(beginning) == true, "\(error?.description ?? "taken")")
  }
}
