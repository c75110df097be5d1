// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Logging
import ServiceLifecycle

/// Keeps the server until the daemon is told to stop, then drains it.
struct HTTPKeeper: Service {
    let server: Server
    let displays: [DisplayID]
    let logger: Logger

    /// What clients that do not take their end are left.
    private static let patience: Duration = .seconds(2)

    func run() async throws {
        // Only now: services are started after signals are caught, and whoever reads this line may send one.
        logger.notice(
            "serving at \((server.addresses.map { "http://\($0)" } + server.paths).joined(separator: " and "))",
            metadata: ["displays": "\(displays.map(\.text).joined(separator: ","))", "version": "\(Version.text)"]
        )
        try await gracefulShutdown()
        logger.notice("stopping: ending every stream")
        await server.stop(within: Self.patience)
    }
}
