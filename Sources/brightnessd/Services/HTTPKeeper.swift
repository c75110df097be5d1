// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import Logging
import ServiceLifecycle

/// Keeps the server until the daemon is told to stop, then drains it.
struct HTTPKeeper: Service {
    let server: Server
    let logger: Logger

    /// What clients that do not take their end are left.
    private static let patience: Duration = .seconds(2)

    func run() async throws {
        try await gracefulShutdown()
        logger.notice("stopping: ending every stream")
        await server.stop(within: Self.patience)
    }
}
