// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A client's TCP connection to a port of this machine.
///
/// Reading never waits unless asked to. Closing resets the connection, so that ten thousands of them leave no port
/// in TIME_WAIT behind for the next round.
package struct Socket: ~Copyable {
    package let descriptor: Int32

    /// Connects; returns when the kernel has accepted, which may be before the server has.
    ///
    /// - Parameter source: Which of this machine's loopback addresses it comes from, 0 to 254. The kernel looks long
    ///   for a free port once one address has many thousand connections to the same port.
    package init(port: UInt16, from source: Int = 0) throws(LoadError) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
        var on: Int32 = 1
        let length = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, Int32(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, &on, length)
        let isConnected =
            Self.loopback(1 + source, port: 0, { bind(descriptor, $0, $1) }) == 0
            && Self.loopback(1, port: port, { connect(descriptor, $0, $1) }) == 0
        guard isConnected else {
            let reason = errno
            close(descriptor)
            throw .system(call: "connect", errno: reason)
        }
        self.descriptor = descriptor
    }

    /// `127.0.0.number`, for a system call.
    private static func loopback(
        _ number: Int,
        port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = (0x7f00_0000 + UInt32(number)).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    deinit {
        var reset = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
        close(descriptor)
    }

    /// Sends data at once, also before earlier data is acknowledged.
    package func sendAtOnce() {
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Bytes that the kernel keeps for us; with few, and nobody reading, the server soon cannot send.
    package func limitBuffer(bytes: Int) {
        var bytes = Int32(bytes)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    package func send(_ request: Request) throws(LoadError) { try send(request.bytes) }

    func send(_ bytes: [UInt8]) throws(LoadError) {
        let sent = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard sent == bytes.count else { throw .system(call: "send", errno: errno) }
    }

    /// A port that nobody listens on at the moment.
    package static func freePort() throws(LoadError) -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw .system(call: "bind", errno: errno) }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Reads what is there.
    ///
    /// - Returns: `nil` when nothing is.
    /// - Throws: `.closed` at the end of the stream.
    @inline(__always)
    package func receive(
        into buffer: UnsafeMutableRawBufferPointer,
        waiting: Bool = false
    ) throws(LoadError) -> Int? {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, waiting ? 0 : Int32(MSG_DONTWAIT))
        if count > 0 { return count }
        if count == 0 { throw .closed(during: "while something was expected on it") }
        if errno == EAGAIN || errno == EINTR { return nil }
        throw .system(call: "recv", errno: errno)
    }

    /// Lets `receive(waiting: true)` wait so long at most.
    package func limitWaiting(seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
}
