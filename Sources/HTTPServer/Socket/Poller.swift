// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// An epoll set. Its entries are distinguished by a 64-bit token.
///
/// Used only on its shard's thread, by every part of the shard that has a socket.
final class Poller {
    private let descriptor: Int32
    private static let capacity = 256
    private let ready = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity)

    init() throws(ServerError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        ready.initialize(repeating: epoll_event(), count: Self.capacity)
        guard descriptor >= 0 else { throw .system("epoll_create1", errno) }
    }

    @discardableResult
    func add(_ socket: Int32, _ interest: EPOLL_EVENTS, token: UInt64) -> Bool {
        control(EPOLL_CTL_ADD, on: socket, interest, token: token)
    }

    func change(_ socket: Int32, _ interest: EPOLL_EVENTS, token: UInt64) {
        _ = control(EPOLL_CTL_MOD, on: socket, interest, token: token)
    }

    func remove(_ socket: Int32) {
        _ = control(EPOLL_CTL_DEL, on: socket, EPOLL_EVENTS(rawValue: 0), token: 0)
    }

    private func control(_ operation: Int32, on socket: Int32, _ interest: EPOLL_EVENTS, token: UInt64)
        -> Bool
    {
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: token))
        return epoll_ctl(descriptor, operation, socket, &event) == 0
    }

    /// Waits for at most `milliseconds` (-1: without limit) and calls `body` for every descriptor that is ready.
    func wait(milliseconds: Int32, _ body: (_ token: UInt64, _ events: UInt32) -> Void) {
        let count = epoll_wait(descriptor, ready, Int32(Self.capacity), milliseconds)
        for index in 0..<Int(max(count, 0)) { body(ready[index].data.u64, ready[index].events) }
    }

    deinit {
        close(descriptor)
        ready.deallocate()
    }
}

extension EPOLL_EVENTS {
    static func | (left: EPOLL_EVENTS, right: EPOLL_EVENTS) -> EPOLL_EVENTS {
        EPOLL_EVENTS(rawValue: left.rawValue | right.rawValue)
    }
}
