// swift-tools-version: 6.2
import PackageDescription

// The rooms and the direction of imports are described in ARCHITECTURE.md; the build checks them with
// `--explicit-target-dependency-import-check error` (see the Makefile).

/// Warnings are errors: what the compiler doubts, a reader doubts.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let strictC: [CSetting] = [.enableWarning("all"), .treatAllWarnings(as: .error)]
let strictCxx: [CXXSetting] = [.enableWarning("all"), .treatAllWarnings(as: .error)]

/// A Swift target of the daemon or the client.
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// Unit tests of one target, in `Tests/<target>Tests`.
func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name), "TestSupport"] + dependencies,
    swiftSettings: strict)
}

let package = Package(
  name: "parallaxd",
  products: [
    .executable(name: "parallaxd", targets: ["parallaxd"]),
    .executable(name: "parallaxctl", targets: ["parallaxctl"]),
  ],
  targets: [
    // C and C++ libraries, nothing else in them.
    .target(name: "CLinux", cSettings: strictC),
    .target(name: "CNumbers", cxxSettings: strictCxx),
    // The shared page: what is in include/ for clients, and the writer's half.
    .target(name: "CPage", cSettings: strictC),
    .target(name: "CToml", cxxSettings: strictCxx),
    .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    .systemLibrary(name: "CIIO", pkgConfig: "libiio", providers: [.apt(["libiio-dev"])]),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),

    // The one place that turns errno into a typed error and owns descriptors.
    room("Linux", ["CLinux"]),

    // The shared page, written and read.
    room("Page", ["CPage", "Linux", "CLinux"]),

    // Pure: no I/O, no clock.
    room("Motion"),
    room("Wire", ["CNumbers"]),
    room("Scene", ["Motion"]),
    room("SceneWire", ["Scene", "Motion", "Wire"]),

    // Files of people: traces and settings.
    room("Traces", ["Motion", "CNumbers", "Linux", "CLinux"]),
    room("Settings", ["Motion", "Scene", "CToml", "Linux", "CLinux"]),

    // Pictures for people.
    room("Plot", ["Motion", "Linux", "CCairo"]),

    // The machine.
    room("EventLoop", ["CSystemd", "Linux", "CLinux"]),
    room("IIO", ["CIIO", "Linux", "CLinux"]),
    room("Sensors", ["IIO", "Traces", "Motion", "Settings", "EventLoop", "Linux", "CLinux"]),
    room("Handover", ["Wire", "Linux", "CLinux"]),
    room(
      "Server",
      [
        "Wire", "Motion", "Scene", "SceneWire", "Page", "CPage", "Handover", "EventLoop", "Linux", "CLinux",
      ]),
    room(
      "Daemon",
      [
        "Motion", "Traces", "Wire", "Settings", "Sensors", "Handover", "Server", "EventLoop", "CSystemd",
        "Linux",
        "CLinux",
      ]),

    .executableTarget(name: "parallaxd", dependencies: ["Daemon", "Linux", "CLinux"], swiftSettings: strict),
    .executableTarget(
      name: "parallaxctl",
      dependencies: [
        "Motion", "Scene", "SceneWire", "Traces", "Wire", "Page", "Settings", "Plot", "Linux", "CLinux",
        "CNumbers",
      ],
      swiftSettings: strict),

    .target(
      name: "TestSupport", dependencies: ["Page", "Linux"], path: "Tests/TestSupport", swiftSettings: strict),
    tests(of: "Linux"),
    tests(of: "Motion"),
    tests(of: "Traces", ["Motion", "CNumbers"]),
    tests(of: "Wire"),
    tests(of: "Scene", ["Motion"]),
    tests(of: "SceneWire", ["Scene", "Motion", "Wire"]),
    tests(of: "Settings", ["Motion", "Scene"]),
    tests(of: "EventLoop"),
    tests(of: "Page", ["CPage", "Linux", "CLinux"]),
    tests(of: "Plot", ["Motion"]),
    tests(of: "IIO", ["CIIO"]),
    tests(of: "Sensors", ["Motion", "Settings", "Linux"]),
    .testTarget(
      name: "ParallaxctlTests",
      dependencies: ["parallaxctl", "Motion", "Scene", "SceneWire", "Settings", "Wire", "Linux"],
      swiftSettings: strict),
    tests(of: "Handover", ["Wire"]),
    tests(of: "Server", ["Wire", "Motion", "Scene", "Page", "Handover", "EventLoop", "Linux", "CLinux"]),
    tests(of: "Daemon", ["Wire", "Linux", "CLinux"]),
  ],
  cxxLanguageStandard: .cxx17
)
