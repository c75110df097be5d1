// swift-tools-version:6.2
import PackageDescription

/// As in the daemon's package.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]
let cSettings: [CSetting] = [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]

/// The benchmarks are a package of their own, so that nothing they need becomes a dependency of the daemon.
let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
    ],
    targets: [
        // The peers: servers to compare with.
        .executableTarget(name: "epoll-limit", cSettings: cSettings),
        .executableTarget(name: "mhd-minimal", cSettings: cSettings, linkerSettings: [.linkedLibrary("microhttpd")]),
        .executableTarget(
            name: "mqtt-minimal",
            cSettings: cSettings,
            linkerSettings: [.linkedLibrary("mosquitto"), .linkedLibrary("jansson")]
        ),

        // epoll for Swift; children, their clocks, and what must happen to them on a signal.
        .target(name: "CSystem", cSettings: cSettings),
        // The load generator: sockets, epoll; HTTP, SSE and WebSockets read as a client reads them.
        .target(
            name: "Load",
            dependencies: ["CSystem", .product(name: "Histogram", package: "hdrhistogram-swift")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "bench",
            dependencies: [
                "CSystem",
                "Load",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .testTarget(name: "LoadTests", dependencies: ["Load"], swiftSettings: settings),
    ]
)
