// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A listening socket that the service manager opened, such as systemd.
///
/// It outlives this process, so no client is refused during a restart.
///
/// - SeeAlso: systemd.socket(5), sd_listen_fds(3)
package struct InheritedSocket: Sendable {
    package enum Address: Sendable, Equatable {
        case network(ListenAddress)
        /// The path of a Unix socket; `nil` if it has none.
        case file(String?)
    }

    let descriptor: Int32
    package let address: Address

    /// - Throws: `.notListening` for anything but a listening stream socket.
    package init(_ descriptor: Int32) throws(ServerError) {
        self.descriptor = descriptor
        func option(_ option: Int32) -> UInt32? { LocalClient.numbers(option, of: descriptor, expecting: 1)?.first }
        guard option(SO_ACCEPTCONN) == 1, option(SO_TYPE) == SOCK_STREAM.rawValue,
            let address = SocketAddress(of: descriptor)
        else { throw .notListening(descriptor) }
        if let network = address.listenAddress {
            self.address = .network(network)
            ListenSockets.tune(descriptor)
        } else if address.family == AF_UNIX {
            self.address = .file(address.path)
        } else {
            throw .notListening(descriptor)
        }
        // accept must not wait: all shards share the socket.
        guard Descriptor.unblock(descriptor) else { throw .system("fcntl", errno) }
    }
}
