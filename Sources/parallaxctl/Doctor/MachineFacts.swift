import Linux
import Wire

/// What `doctor` has seen of a machine, as values: the checks look at nothing else, so that tables of cases test
/// them. Every text is bounded and printable.
struct MachineFacts: Equatable, Sendable {
  struct User: Equatable, Sendable {
    var id: UInt32 = 0
    var name = "root"
    var groups: [String] = []
  }

  /// A file's owner and rights.
  struct File: Equatable, Sendable {
    var path: String
    var owner: String
    var group: String
    /// The nine bits.
    var mode: UInt32
    /// By the user who asks.
    var isWritable: Bool

    /// `root:parallax-sensor 0660`
    var rights: String { "\(owner):\(group) 0\(String(mode, radix: 8))" }

    /// Whether the members of its group may read and write it.
    var isOpenToGroup: Bool { mode & 0o060 == 0o060 }
  }

  struct Process: Equatable, Sendable {
    var id: Int32
    var name: String
  }

  struct Attribute: Equatable, Sendable {
    var name: String
    /// nil: not read, since that would wake the sensor, or not readable.
    var text: String?
  }

  struct Device: Equatable, Sendable {
    /// `iio:device0`
    var id: String
    var name: String?
    var label: String?
    var attributes: [Attribute] = []
    var isGyroscope = false
    var hasBuffer = false
    /// Whether its driver lets a trigger start its scans (`trigger/current_trigger`).
    var takesTrigger = false
    var isBufferEnabled = false
    var currentTrigger: String?
    /// /dev/iio:deviceN
    var node: File?
    /// The attributes that the daemon writes, as the udev rule hands them over.
    var settings: [File] = []
    /// Who has the node open; nil: only root sees that.
    var holders: [Process]?

    /// `iio:device0 (bmi160)`
    var title: String { name.map { "\(id) (\($0))" } ?? id }
  }

  struct Trigger: Equatable, Sendable {
    var id: String
    var name: String?
    /// Its rate, which the daemon sets; nil: it has none.
    var frequency: File?
  }

  enum Daemon: Equatable, Sendable {
    case answers(Status)
    /// Nobody listens; why, for people.
    case absent(String)
    /// No right to connect; why, and what gives it.
    case refused(String)
    /// It is there and took a call, or did not, and gives no answer.
    case hangs(String)
    case failed(String)
  }

  var user = User()
  /// The system's name and the kernel's release.
  var system = ""
  /// Modules that concern motion sensors; nil: /proc/modules cannot be read.
  var modules: [String]?
  /// Whether the kernel's IIO core is there.
  var hasIIO = false
  /// Folders of devices that this user may not look into.
  var closedFolders: [String] = []
  var devices: [Device] = []
  var triggers: [Trigger] = []
  /// The folder in configfs where hrtimer triggers are made; nil: they cannot be made.
  var hrtimer: File?
  /// Whether configfs is mounted.
  var hasConfigfs = false
  /// Programs that are known to read motion sensors.
  var readers: [Process] = []
  /// By unit name; nil: there is no systemd to ask.
  var units: [String: UnitState]?
  var daemon = Daemon.absent("")
  /// What it said before it fell silent.
  var lastStatus: Status?
  /// Settings that its configuration files name: `sensor.axes`.
  var configuredKeys: Set<String> = []
  /// Two seconds of the daemon's stream; nil: there was none.
  var stream: StreamFacts?

  /// After the stream, if it was possible, else before it.
  var status: Status? {
    if case .answers(let status) = daemon { return status }
    return lastStatus
  }

  /// Whether systemd knows the daemon.
  var hasService: Bool { units?["parallaxd.service"]?.load == "loaded" }

  var gyroscopes: [Device] { devices.filter(\.isGyroscope) }
}
