// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// The listening sockets of one shard: accepts newcomers in small groups, and answers those it rejects.
///
/// libmicrohttpd could accept by itself, but leaves clients over its limit without a word, and spins when there is no
/// descriptor left.
struct AcceptingSockets: ~Copyable {
    /// Newcomers between two looks at everybody else.
    private static let group = 10
    /// At most so many sockets of rejected clients stay open.
    static let mostLeaving = 8

    let descriptors: [Int32]
    /// Given up for a moment when there is no other descriptor, so that a waiting client can be answered.
    private var spare: Int32
    /// A whole answer, after which the connection ends.
    private let refusal: [UInt8]
    /// How many clients were rejected.
    private(set) var refused: UInt64 = 0
    /// Sockets of rejected clients. Closing one at once would answer a request that is still on its way with a
    /// reset, which may overtake what was said.
    private var leaving: [Int32] = []
    private var oldest = 0
    /// When these are closed; `nil` without any.
    private(set) var endOfLeaving: LoopTime?

    /// - Parameter descriptors: They are closed at the end.
    init(_ descriptors: [Int32], refusing refusal: [UInt8]) {
        self.descriptors = descriptors
        self.refusal = refusal
        spare = Self.anyDescriptor()
    }

    private static func anyDescriptor() -> Int32 { eventfd(0, Int32(EFD_CLOEXEC)) }

    /// An accepted socket and its client's address. Returns `nil` and owns the socket from then on, or the rejection to send.
    typealias Admission = (Int32, UnsafePointer<sockaddr>, socklen_t) -> [UInt8]?

    /// Lets a group in from each socket, each newcomer handed to `body`.
    ///
    /// - Returns: Whether more may wait.
    mutating func accept(atMost room: Int, at now: LoopTime, _ body: Admission) -> Bool {
        var (left, mayBeMore) = (room, false)
        for descriptor in descriptors where accept(from: descriptor, atMost: &left, at: now, body) {
            mayBeMore = true
        }
        return mayBeMore
    }

    private mutating func accept(
        from descriptor: Int32,
        atMost room: inout Int,
        at now: LoopTime,
        _ body: Admission
    ) -> Bool {
        for _ in 0..<min(room, Self.group) {
            var address = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            var (socket, no): (Int32, [UInt8]?) = (-1, nil)
            withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    socket = Glibc.accept(descriptor, address, &length)
                    if socket >= 0 { no = body(socket, address, length) }
                }
            }
            guard socket >= 0 else { return errno == EMFILE || errno == ENFILE ? refuse(from: descriptor) : false }
            if let no { turnAway(socket, saying: no, at: now) } else { room -= 1 }
        }
        return true
    }

    /// Rejects a group at each socket: there is no room.
    ///
    /// - Returns: Whether more may wait.
    mutating func refuse() -> Bool {
        var mayBeMore = false
        for descriptor in descriptors where refuse(from: descriptor) { mayBeMore = true }
        return mayBeMore
    }

    private mutating func refuse(from descriptor: Int32) -> Bool {
        for _ in 0..<Self.group {
            close(spare)
            let socket = Glibc.accept(descriptor, nil, nil)
            if socket >= 0 {
                say(refusal, to: socket)
                close(socket)
            }
            spare = Self.anyDescriptor()
            if socket < 0 { return false }
        }
        return true
    }

    private mutating func turnAway(_ socket: Int32, saying no: [UInt8], at now: LoopTime) {
        say(no, to: socket)
        shutdown(socket, Int32(SHUT_WR))
        if leaving.count < Self.mostLeaving {
            leaving.append(socket)
        } else {
            close(leaving[oldest])
            leaving[oldest] = socket
            oldest = (oldest + 1) % Self.mostLeaving
        }
        endOfLeaving = now + Self.timeToLeave
    }

    private static let timeToLeave = Duration.seconds(1)

    mutating func closeLeaving() {
        for socket in leaving { close(socket) }
        leaving.removeAll(keepingCapacity: true)
        (oldest, endOfLeaving) = (0, nil)
    }

    private mutating func say(_ no: [UInt8], to socket: Int32) {
        refused += 1
        // What is unread when it is closed would become a reset, which may overtake the answer.
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
            _ = recv(socket, buffer.baseAddress, buffer.count, TransferFlags.atOnce)
        }
        _ = send(socket, no, no.count, TransferFlags.quietly | TransferFlags.atOnce)
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
        for socket in leaving { close(socket) }
        close(spare)
    }
}
