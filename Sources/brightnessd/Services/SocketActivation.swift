// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CSystemd
import HTTPServer

/// Sockets that the service manager listens on for us, so that they stay while the daemon is started anew.
///
/// - SeeAlso: sd_listen_fds(3)
enum SocketActivation {
    /// Takes them; once. The processes that the daemon starts do not get them.
    static func sockets() throws -> [InheritedSocket] {
        let count = sd_listen_fds(1)
        return try (0..<max(0, count)).map { index in
            do throws(ServerError) {
                return try InheritedSocket(SD_LISTEN_FDS_START + index)
            } catch {
                throw ValidationError("\(error)")
            }
        }
    }
}
