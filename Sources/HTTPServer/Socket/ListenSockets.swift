// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The listening sockets of the server.
///
/// An address has one socket per shard, among which the kernel spreads connections. A Unix socket and an inherited
/// socket are one socket each, from which all shards accept.
///
/// - SeeAlso: `SO_REUSEPORT` in socket(7), TCP options in tcp(7).
struct ListenSockets {
    /// The length of the kernel's accept queue. Thousands of clients reconnect at once after a restart.
    static let backlog: Int32 = 4_096
    /// A non-blocking stream socket that is closed on exec.
    static let socketType = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    /// Milliseconds after which the kernel drops a peer that acknowledges no data.
    private static let deadPeerMilliseconds: Int32 = 30_000
    /// Bytes that the kernel holds for a stream that is not read. Later events are conflated instead of queued.
    private static let sendBufferBytes: Int32 = 65_536

    /// The sockets of each shard, which owns them from then on.
    private(set) var byShard: [[Int32]]
    /// The addresses, with the actual port if port 0 was requested.
    private(set) var addresses: [ListenAddress] = []
    /// The Unix socket that the server opened itself.
    private(set) var unixSocket: UnixSocket?
    private(set) var paths: [String] = []

    /// Takes over the inherited sockets, and opens the missing ones.
    ///
    /// - Parameters:
    ///   - address: Opened unless an address was inherited; `nil` for none.
    ///   - unixPath: Opened unless a Unix socket was inherited.
    init(
        at address: ListenAddress?,
        unixPath: String?,
        inherited: [InheritedSocket],
        shards: Int
    ) throws(ServerError) {
        byShard = Array(repeating: [], count: shards)
        do throws(ServerError) {
            for socket in inherited {
                try share(socket.descriptor)
                switch socket.address {
                case .network(let address): addresses.append(address)
                case .file(let path): paths.append(path ?? "(no name)")
                }
            }
            if paths.isEmpty, let path = unixPath {
                let socket = try UnixSocket(at: path)
                unixSocket = socket
                paths = [path]
                try share(socket.descriptor)
            }
            if addresses.isEmpty, let address { try open(address) }
        } catch {
            for sockets in byShard { for socket in sockets { close(socket) } }
            unixSocket?.remove()
            throw error
        }
    }

    /// Gives each shard a descriptor of one socket.
    private mutating func share(_ socket: Int32) throws(ServerError) {
        for index in byShard.indices {
            let copy = Descriptor.duplicate(socket)
            guard copy >= 0 else { throw .system("fcntl", errno) }
            byShard[index].append(copy)
        }
        close(socket)
    }

    /// Opens one socket per shard.
    private mutating func open(_ address: ListenAddress) throws(ServerError) {
        // Without SO_REUSEPORT this fails if any process listens there, even another daemon of ours that would share
        // the port.
        let probe = try Self.bind(address, sharesPort: false)
        let bound = SocketAddress(of: probe)?.listenAddress ?? address
        close(probe)
        for index in byShard.indices {
            let socket = try Self.bind(bound, sharesPort: true)
            byShard[index].append(socket)
            guard listen(socket, Self.backlog) == 0 else { throw .system("listen", errno) }
        }
        addresses = [bound]
    }

    static func bind(_ address: ListenAddress, sharesPort: Bool) throws(ServerError) -> Int32 {
        guard let target = address.socketAddress else { throw .unknownHost(address.host) }
        let socket = Glibc.socket(target.family, socketType, 0)
        guard socket >= 0 else { throw .system("socket", errno) }
        set(SO_REUSEADDR, at: SOL_SOCKET, of: socket, to: 1)
        if sharesPort { set(SO_REUSEPORT, at: SOL_SOCKET, of: socket, to: 1) }
        tune(socket)
        if target.family == AF_INET6 { set(IPV6_V6ONLY, at: Int32(IPPROTO_IPV6), of: socket, to: 1) }
        guard target.withPointer({ Glibc.bind(socket, $0, $1) }) == 0 else {
            let code = errno
            close(socket)
            throw error(code, at: address)
        }
        return socket
    }

    /// Sets the options of a listening socket. Accepted sockets inherit them, which saves a system call each.
    static func tune(_ socket: Int32) {
        set(SO_SNDBUF, at: SOL_SOCKET, of: socket, to: sendBufferBytes)
        set(SO_KEEPALIVE, at: SOL_SOCKET, of: socket, to: 1)
        set(TCP_NODELAY, at: Int32(IPPROTO_TCP), of: socket, to: 1)
        set(TCP_USER_TIMEOUT, at: Int32(IPPROTO_TCP), of: socket, to: deadPeerMilliseconds)
    }

    private static func error(_ code: Int32, at address: ListenAddress) -> ServerError {
        switch code {
        case EADDRINUSE: .addressInUse(address)
        case EADDRNOTAVAIL: .addressNotHere(address)
        case EACCES: .addressForbidden(address)
        default: .system("bind", code)
        }
    }

    private static func set(_ option: Int32, at level: Int32, of socket: Int32, to value: Int32) {
        var value = value
        setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}

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
