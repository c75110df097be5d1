// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// The listening sockets of one shard: lets newcomers in by small groups, and tells those who cannot be had why.
///
/// libmicrohttpd could accept by itself, but leaves whoever is too many without a word, and spins when there is no
/// descriptor left.
struct Listener: ~Copyable {
    /// Newcomers between two looks at everybody else.
    private static let group = 10

    let descriptors: [Int32]
    /// Given up for a moment when there is no other descriptor, so that whoever waits can be told.
    private var spare: Int32
    /// A whole answer, after which the connection ends.
    private let refusal: [UInt8]

    /// - Parameter descriptors: They are closed at the end.
    init(_ descriptors: [Int32], refusing refusal: [UInt8]) {
        self.descriptors = descriptors
        self.refusal = refusal
        spare = Self.anyDescriptor()
    }

    private static func anyDescriptor() -> Int32 { eventfd(0, Int32(EFD_CLOEXEC)) }

    /// Lets a group in from each socket, each newcomer handed to `body`, which owns it from then on.
    ///
    /// - Returns: Whether more may wait.
    mutating func accept(atMost room: Int, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Void) -> Bool {
        var (left, mayBeMore) = (room, false)
        for descriptor in descriptors where accept(from: descriptor, atMost: &left, body) { mayBeMore = true }
        return mayBeMore
    }

    private mutating func accept(
        from descriptor: Int32,
        atMost room: inout Int,
        _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Void
    ) -> Bool {
        for _ in 0..<min(room, Self.group) {
            var address = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let isIn = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    let socket = Glibc.accept(descriptor, address, &length)
                    if socket >= 0 { body(socket, address, length) }
                    return socket >= 0
                }
            }
            guard isIn else { return errno == EMFILE || errno == ENFILE ? refuse(from: descriptor) : false }
            room -= 1
        }
        return true
    }

    /// Tells a group at each socket that there is no room.
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
            if socket >= 0 { sayNo(socket) }
            spare = Self.anyDescriptor()
            if socket < 0 { return false }
        }
        return true
    }

    private borrowing func sayNo(_ socket: Int32) {
        // What is unread when it is closed would become a reset, which may overtake the answer.
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
            _ = recv(socket, buffer.baseAddress, buffer.count, TransferFlags.atOnce)
        }
        _ = send(socket, refusal, refusal.count, TransferFlags.quietly | TransferFlags.atOnce)
        close(socket)
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
        close(spare)
    }
}

/// Whether newcomers are let in.
enum Door: Equatable {
    case open
    /// There is no room for the moment: they wait in the kernel's queue.
    case shut(since: LoopTime)
    /// That went on for too long: they are told.
    case refusing

    /// How long they wait without a word. Thousands come back at once when a server starts again; there is room for
    /// them within a moment.
    static let patience = Duration.seconds(1)
}
