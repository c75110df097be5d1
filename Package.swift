// swift-tools-version:6.0
import PackageDescription

/// Every target: the upcoming language features that keep C and existential types from slipping into signatures. Swift
/// 6.0, Debian's, ignores the last two.
var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
#if compiler(>=6.2)
    // The compiler that the project is written with; others warn of other things.
    settings.append(.unsafeFlags(["-warnings-as-errors"]))
#endif

/// A Swift package. The version is exact, so that builds of one commit are alike: Package.resolved is not committed.
/// `debian/rules` builds without a network, from directories next to this file.
func component(_ name: String, _ version: Version) -> Package.Dependency {
    Context.environment["BRIGHTNESSD_COMPONENTS"] == nil
        ? .package(url: "https://github.com/apple/\(name)", exact: version)
        : .package(path: name)
}

let package = Package(
    name: "brightnessd",
    products: [
        .executable(name: "brightnessd", targets: ["brightnessd"]),
        .executable(name: "brightness-ddc", targets: ["brightness-ddc"]),
        .executable(name: "brightness", targets: ["brightness"]),
    ],
    dependencies: [
        component("swift-argument-parser", "1.8.2"),
        // Sine and cosine, for sunrise and sunset: the core has no C library.
        component("swift-numerics", "1.1.1"),
    ],
    targets: [
        .systemLibrary(
            name: "CMicroHTTPD",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]
        ),

        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
        .systemLibrary(name: "CHogweed", pkgConfig: "hogweed", providers: [.apt(["nettle-dev"])]),
        .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
        .systemLibrary(name: "CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CWslay", providers: [.apt(["libwslay-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

        // Loaded when they are needed; headers of libcurl4-openssl-dev, libmosquitto-dev and libsystemd-dev.
        .target(name: "CCurl"),
        .target(name: "CMosquitto"),
        .target(name: "CSystemd"),

        .systemLibrary(name: "CDDCUtil", providers: [.apt(["libddcutil-dev"])]),

        // Queues, words, patterns, metrics, threads: what every other target may use, and nothing of brightness.
        .target(name: "Support", dependencies: ["CLinux", "CNettle"], swiftSettings: settings),
        .target(
            name: "BrightnessCore",
            dependencies: ["Support", "CJansson", .product(name: "RealModule", package: "swift-numerics")],
            swiftSettings: settings
        ),
        .target(name: "Journal", dependencies: ["BrightnessCore", "Support", "CSQLite"], swiftSettings: settings),
        .target(name: "DDCWire", dependencies: ["CJansson"], swiftSettings: settings),
        .executableTarget(name: "brightness-ddc", dependencies: ["CDDCUtil", "DDCWire"], swiftSettings: settings),
        .target(
            name: "Devices",
            dependencies: ["BrightnessCore", "Support", "CLinux", "CUdev", "DDCWire", "HTTPClient"],
            swiftSettings: settings
        ),
        .target(name: "MQTT", dependencies: ["CMosquitto", "Support"], swiftSettings: settings),
        .target(name: "HTTPClient", dependencies: ["CCurl", "CWslay", "Support"], swiftSettings: settings),
        .target(
            name: "HTTPServer",
            dependencies: ["Support", "CMicroHTTPD", "CLinux", "CWslay"],
            swiftSettings: settings
        ),
        // The assembler searches the files along the header search path. `make build` bundles scripts and styles there;
        // without it a page loads the modules themselves.
        .target(
            name: "WebAssets",
            exclude: ["Files"],
            cSettings: [
                .headerSearchPath("../../.build/bundle", .when(configuration: .release)),
                .headerSearchPath("Files"), .headerSearchPath("../.."),
            ]
        ),
        .target(
            name: "WebAPI",
            dependencies: [
                "BrightnessCore", "Support", "HTTPServer", "Journal", "CNettle", "CZlib",
                "WebAssets",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "MQTTBridge",
            dependencies: ["BrightnessCore", "Support", "MQTT"],
            swiftSettings: settings
        ),
        .target(
            name: "ESPHome",
            dependencies: ["BrightnessCore", "Support", "CHogweed"],
            swiftSettings: settings
        ),
        .target(
            name: "DaemonRuntime",
            dependencies: [
                "BrightnessCore", "Support", "CLinux", "CSystemd", "Devices", "ESPHome",
                "HTTPServer", "Journal", "MQTT", "MQTTBridge", "WebAPI",
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "brightnessd",
            dependencies: [
                "BrightnessClient", "BrightnessCore", "DaemonRuntime", "Devices", "HTTPClient", "HTTPServer", "Support",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),

        .target(
            name: "BrightnessClient",
            dependencies: [
                "BrightnessCore", "CLinux", "HTTPClient", "Support",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(name: "brightness", dependencies: ["BrightnessClient"], swiftSettings: settings),

        .target(
            name: "TestSupport",
            dependencies: ["BrightnessCore", "CSQLite", "Devices", "HTTPServer", "Journal"],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "WebSocketEcho",
            dependencies: ["HTTPServer"],
            path: "Tests/Tools/WebSocketEcho",
            swiftSettings: settings
        ),
        // Prints the problem types for `scripts/document/problems`.
        .executableTarget(
            name: "ProblemReference",
            dependencies: ["BrightnessCore"],
            path: "Tests/Tools/ProblemReference",
            swiftSettings: settings
        ),
        // `make fuzz` feeds it with bytes, and `make test` with those that were kept.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "BrightnessClient", "BrightnessCore", "DDCWire", "Devices", "ESPHome",
                "HTTPClient", "HTTPServer", "Journal", "MQTT", "MQTTBridge", "Support", "TestSupport",
                "WebAPI",
            ],
            path: "Tests/FuzzTargets",
            exclude: ["Corpus"],
            swiftSettings: settings
        ),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets"], swiftSettings: settings),
        .testTarget(
            name: "BrightnessCoreTests",
            dependencies: ["BrightnessCore", "Support", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "JournalTests",
            dependencies: ["Journal", "BrightnessCore", "CSQLite", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["Journal", "BrightnessCore", "CSQLite", "DDCWire", "Devices", "Support", "TestSupport"],
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DevicesTests",
            dependencies: ["Devices", "DDCWire", "BrightnessCore", "HTTPClient", "Support", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(name: "SupportTests", dependencies: ["Support"], swiftSettings: settings),
        .testTarget(
            name: "DaemonRuntimeTests",
            dependencies: [
                "DaemonRuntime", "BrightnessCore", "Devices", "ESPHome", "HTTPServer", "Journal",
                "Support", "WebAPI", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: ["HTTPServer", "CMicroHTTPD", "Support", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BrightnessClientTests",
            dependencies: ["BrightnessClient", "BrightnessCore"],
            swiftSettings: settings
        ),
        .testTarget(name: "HTTPClientTests", dependencies: ["HTTPClient", "Support"], swiftSettings: settings),
        .testTarget(name: "MQTTTests", dependencies: ["MQTT"], swiftSettings: settings),
        .testTarget(
            name: "MQTTBridgeTests",
            dependencies: ["MQTTBridge", "MQTT", "BrightnessCore", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ESPHomeTests",
            dependencies: ["ESPHome", "BrightnessCore", "Support", "TestSupport"],
            exclude: ["messages.txt"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "WebAPITests",
            dependencies: [
                "WebAPI", "HTTPServer", "Journal", "BrightnessCore", "TestSupport",
            ],
            swiftSettings: settings
        ),
    ]
)

#if compiler(<6.2)
    // The tests' names are raw identifiers, which need Swift 6.2.
    package.targets.removeAll { $0.type == .test }
#endif

if Context.environment["BRIGHTNESSD_TESTS"] == "no" {
    // The Dockerfile copies no tests, so that an edited one does not repeat its build.
    package.targets.removeAll { $0.type == .test || $0.path?.hasPrefix("Tests/") == true }
}
