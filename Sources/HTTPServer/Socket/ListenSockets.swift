// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Opens one listening socket a shard on the same address; the kernel spreads connections among them.
///
/// - SeeAlso: `SO_REUSEPORT` in socket(7), TCP options in tcp(7).
enum ListenSockets {
    /// Kernel queue of connections that are not accepted yet; thousands of clients come back at once after a restart.
    private static let backlog: Int32 = 4_096
    /// A peer that takes nothing for so long is dropped by the kernel. Milliseconds.
    private static let deadPeerMilliseconds: Int32 = 30_000
    /// What the kernel holds for a stream that is not read, so that what comes after is conflated and not queued.
    private static let sendBufferBytes: Int32 = 65_536

    static func open(_ address: ListenAddress, count: Int) throws(ServerError) -> (sockets: [Int32], port: UInt16) {
        // Without SO_REUSEPORT this fails where anybody listens, even another daemon of ours that would share the port.
        let probe = try bind(address, sharesPort: false)
        let bound = ListenAddress(host: address.host, port: SocketAddress.port(of: probe))
        close(probe)

        var sockets: [Int32] = []
        do throws(ServerError) {
            for _ in 0..<count {
                let socket = try bind(bound, sharesPort: true)
                sockets.append(socket)
                guard listen(socket, backlog) == 0 else { throw .system("listen", errno) }
            }
        } catch {
            for socket in sockets { close(socket) }
            throw error
        }
        return (sockets, bound.port)
    }

    private static func bind(_ address: ListenAddress, sharesPort: Bool) throws(ServerError) -> Int32 {
        guard let target = address.socketAddress else { throw .unknownHost(address.host) }
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(target.family, type, 0)
        guard socket >= 0 else { throw .system("socket", errno) }
        set(socket, SOL_SOCKET, SO_REUSEADDR, 1)
        if sharesPort { set(socket, SOL_SOCKET, SO_REUSEPORT, 1) }
        // Accepted sockets inherit these, which saves a system call each.
        set(socket, SOL_SOCKET, SO_SNDBUF, sendBufferBytes)
        set(socket, SOL_SOCKET, SO_KEEPALIVE, 1)
        set(socket, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        set(socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, deadPeerMilliseconds)
        if target.family == AF_INET6 { set(socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
        guard target.withPointer({ Glibc.bind(socket, $0, $1) }) == 0 else {
            let code = errno
            close(socket)
            throw error(code, at: address)
        }
        return socket
    }

    private static func error(_ code: Int32, at address: ListenAddress) -> ServerError {
        switch code {
        case EADDRINUSE: .addressInUse(address)
        case EADDRNOTAVAIL: .addressNotHere(address)
        case EACCES: .addressForbidden(address)
        default: .system("bind", code)
        }
    }

    private static func set(_ socket: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
