// SPDX-License-Identifier: Apache-2.0

internal import CSystem
internal import Glibc

/// An epoll set whose members are known by a number, usually their place in an array.
struct Poller: ~Copyable {
    private let descriptor: Int32
    private let ready: UnsafeMutableBufferPointer<epoll_event>

    init() throws(LoadError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .system(call: "epoll_create1", errno: errno) }
        ready = .allocate(capacity: 512)
        ready.initialize(repeating: epoll_event())
    }

    deinit {
        ready.deallocate()
        close(descriptor)
    }

    /// Reports `number` whenever the socket has something to read.
    func add(_ socket: borrowing Socket, as number: Int) throws(LoadError) {
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(u64: UInt64(number)))
        guard epoll_ctl(descriptor, EPOLL_CTL_ADD, socket.descriptor, &event) == 0 else {
            throw .system(call: "epoll_ctl", errno: errno)
        }
    }

    /// Waits for input, and handles each number that has some, up to the limit.
    @inline(__always)
    func wait(milliseconds: Int32, atMost limit: Int = 512, _ handle: (Int) throws(LoadError) -> Void) throws(LoadError)
    {
        let count = epoll_wait(descriptor, ready.baseAddress!, Int32(min(limit, ready.count)), milliseconds)
        guard count >= 0 || errno == EINTR else { throw .system(call: "epoll_wait", errno: errno) }
        for place in 0..<max(0, Int(count)) { try handle(Int(ready[place].data.u64)) }
    }
}
