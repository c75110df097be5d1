// swift-tools-version:6.2
import PackageDescription

/// A package of its own: only `make bench` builds it, since its first build takes minutes.
let package = Package(
    name: "hummingbird-peer",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1")
    ],
    targets: [
        .executableTarget(
            name: "hummingbird-events",
            dependencies: [.product(name: "Hummingbird", package: "hummingbird")]
        )
    ]
)
