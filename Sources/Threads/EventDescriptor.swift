// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc
import Synchronization

/// An `eventfd`: how other threads wake one that waits in epoll or poll. Any thread, never blocks.
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

    /// Call it before looking at what there is to do: whatever comes from here on rings again.
    package borrowing func silence() {
        var rings: eventfd_t = 0
        _ = eventfd_read(descriptor, &rings)
        isRung.store(false, ordering: .sequentiallyConsistent)
    }

    deinit { close(descriptor) }
}
