// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What the server listens on: an address, with one socket a shard, among which the kernel spreads connections; a socket in
/// the file system; what was inherited. The latter two are one socket each, from which all shards accept.
///
/// - SeeAlso: `SO_REUSEPORT` in socket(7), TCP options in tcp(7).
struct ListenSockets {
    /// Kernel queue of connections that are not accepted yet; thousands of clients come back at once after a restart.
    static let backlog: Int32 = 4_096
    /// A stream socket that no child gets and on which nothing waits.
    static let socketType = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    /// A peer that takes nothing for so long is dropped by the kernel. Milliseconds.
    private static let deadPeerMilliseconds: Int32 = 30_000
    /// What the kernel holds for a stream that is not read, so that what comes after is conflated and not queued.
    private static let sendBufferBytes: Int32 = 65_536

    /// What each shard listens on, and owns from then on.
    private(set) var byShard: [[Int32]]
    /// With the port that was taken if 0 was asked for.
    private(set) var addresses: [ListenAddress] = []
    /// What we opened ourselves in the file system.
    private(set) var unixSocket: UnixSocket?
    /// Every socket file, where its path is known.
    private(set) var paths: [String] = []

    /// Takes what was inherited; what is not among that is opened.
    ///
    /// - Parameters:
    ///   - address: Opened unless an address was inherited.
    ///   - unixPath: Opened unless a file was inherited.
    init(
        at address: ListenAddress,
        unixPath: String?,
        inherited: [InheritedSocket],
        shards: Int
    ) throws(ServerError) {
        byShard = Array(repeating: [], count: shards)
        do throws(ServerError) {
            for socket in inherited {
                try share(socket.descriptor)
                switch socket.place {
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
            if addresses.isEmpty { try open(address) }
        } catch {
            for sockets in byShard { for socket in sockets { close(socket) } }
            unixSocket?.remove()
            throw error
        }
    }

    /// All shards accept from one socket.
    private mutating func share(_ socket: Int32) throws(ServerError) {
        for index in byShard.indices {
            let copy = Descriptor.duplicate(socket)
            guard copy >= 0 else { throw .system("fcntl", errno) }
            byShard[index].append(copy)
        }
        close(socket)
    }

    /// Opens one socket a shard.
    private mutating func open(_ address: ListenAddress) throws(ServerError) {
        // Without SO_REUSEPORT this fails where anybody listens, even another daemon of ours that would share the port.
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

    private static func bind(_ address: ListenAddress, sharesPort: Bool) throws(ServerError) -> Int32 {
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

    /// Accepted sockets inherit these, which saves a system call each.
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
