// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A listening socket for a protocol that is not HTTP.
package enum ListenSocket {
    private static let backlog: Int32 = 64

    /// Opens a socket, which the caller owns. Its connections have the options of the server's.
    ///
    /// - Returns: The socket, and its address with the actual port.
    package static func open(_ address: ListenAddress) throws(ServerError) -> (socket: Int32, address: ListenAddress) {
        let socket = try ListenSockets.bind(address, sharesPort: false)
        guard listen(socket, backlog) == 0 else {
            let code = errno
            close(socket)
            throw code == EADDRINUSE ? .addressInUse(address) : .system("listen", code)
        }
        return (socket, SocketAddress(of: socket)?.listenAddress ?? address)
    }
}
