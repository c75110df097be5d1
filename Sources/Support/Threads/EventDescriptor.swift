// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc
import Synchronization

/// An `eventfd`, which wakes a thread that waits in epoll or poll. Any thread, never blocks.
package struct EventDescriptor: ~Copyable, Sendable {
    package let descriptor: Int32
    private let isRung = Atomic(false)

    package init() throws(ThreadError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw ThreadError(call: "eventfd", code: errno) }
    }

    /// Makes the descriptor readable. Further calls before `silence` cost one atomic exchange.
    package borrowing func ring() {
        if !isRung.exchange(true, ordering: .acquiringAndReleasing) { _ = eventfd_write(descriptor, 1) }
    }

    /// Makes the descriptor unreadable. Call it before processing work, so that later work rings again.
    package borrowing func silence() {
        var rings: eventfd_t = 0
        _ = eventfd_read(descriptor, &rings)
        isRung.store(false, ordering: .sequentiallyConsistent)
    }

    /// Waits until it is rung or the time is over, and silences it. Returns whether it was rung.
    @discardableResult
    package borrowing func wait(atMost milliseconds: Int32) -> Bool {
        var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&item, 1, milliseconds) > 0 else { return false }
        silence()
        return true
    }

    deinit { close(descriptor) }
}
