// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// The listening sockets of a shard. Accepts connections in small groups, and responds to rejected clients.
///
/// libmicrohttpd could accept by itself. But it gives clients over its limit no response, and it spins when no
/// descriptor is left.
struct AcceptingSockets: ~Copyable {
    /// The number of connections accepted at once before other work continues.
    private static let group = 10
    /// The maximum number of sockets of rejected clients that stay open.
    static let maximumLingering = 8

    let descriptors: [Int32]
    /// A reserved descriptor, closed for a moment to answer a waiting client when no other descriptor is free.
    private var spare: Int32
    /// The response for lack of capacity, after which the connection ends.
    private let refusal: [UInt8]
    /// The number of rejected clients.
    private(set) var refused: UInt64 = 0
    /// Sockets of rejected clients, oldest first. Closing one at once would answer a request that is still in transit
    /// with a reset, which may overtake the response.
    private var lingering: ArraySlice<Int32> = []
    /// When these are closed; `nil` without any.
    private(set) var lingerDeadline: LoopTime?

    /// - Parameter descriptors: Closed at the end of this value.
    init(_ descriptors: [Int32], refusing refusal: [UInt8]) {
        self.descriptors = descriptors
        self.refusal = refusal
        spare = Self.anyDescriptor()
    }

    private static func anyDescriptor() -> Int32 { eventfd(0, Int32(EFD_CLOEXEC)) }

    /// Handles an accepted socket and its client's address. Returns `nil` if it now owns the socket, or the rejection
    /// to send.
    typealias Admission = (Int32, UnsafePointer<sockaddr>, socklen_t) -> [UInt8]?

    /// Accepts a group of connections from each listening socket, and hands each to `body`.
    ///
    /// - Returns: Whether more clients may wait.
    mutating func accept(atMost capacity: Int, at now: LoopTime, _ body: Admission) -> Bool {
        var (left, mayBeMore) = (capacity, false)
        for descriptor in descriptors where accept(from: descriptor, atMost: &left, at: now, body) {
            mayBeMore = true
        }
        return mayBeMore
    }

    private mutating func accept(
        from descriptor: Int32,
        atMost capacity: inout Int,
        at now: LoopTime,
        _ body: Admission
    ) -> Bool {
        for _ in 0..<min(capacity, Self.group) {
            var address = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            var (socket, response): (Int32, [UInt8]?) = (-1, nil)
            withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    socket = Glibc.accept(descriptor, address, &length)
                    if socket >= 0 { response = body(socket, address, length) }
                }
            }
            guard socket >= 0 else { return errno == EMFILE || errno == ENFILE ? rejectGroup(from: descriptor) : false }
            if let response { reject(socket, sending: response, at: now) } else { capacity -= 1 }
        }
        return true
    }

    /// Rejects a group of connections at each listening socket, for lack of capacity. Each gets the spare descriptor
    /// and is closed at once, because there may be none for a socket that lingers.
    ///
    /// - Returns: Whether more clients may wait.
    mutating func rejectGroups() -> Bool {
        var mayBeMore = false
        for descriptor in descriptors where rejectGroup(from: descriptor) { mayBeMore = true }
        return mayBeMore
    }

    private mutating func rejectGroup(from descriptor: Int32) -> Bool {
        for _ in 0..<Self.group {
            close(spare)
            let socket = Glibc.accept(descriptor, nil, nil)
            if socket >= 0 {
                respond(refusal, to: socket)
                close(socket)
            }
            spare = Self.anyDescriptor()
            if socket < 0 { return false }
        }
        return true
    }

    private mutating func reject(_ socket: Int32, sending response: [UInt8], at now: LoopTime) {
        respond(response, to: socket)
        shutdown(socket, Int32(SHUT_WR))
        if lingering.count == Self.maximumLingering, let oldest = lingering.popFirst() { close(oldest) }
        lingering.append(socket)
        lingerDeadline = now + Self.lingerTime
    }

    private static let lingerTime = Duration.seconds(1)

    mutating func closeLingering() {
        for socket in lingering { close(socket) }
        (lingering, lingerDeadline) = ([], nil)
    }

    private mutating func respond(_ response: [UInt8], to socket: Int32) {
        refused += 1
        // Unread input at the close would cause a reset, which may overtake the response.
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
            _ = recv(socket, buffer.baseAddress, buffer.count, TransferFlags.atOnce)
        }
        _ = send(socket, response, response.count, TransferFlags.quietly | TransferFlags.atOnce)
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
        for socket in lingering { close(socket) }
        close(spare)
    }
}
