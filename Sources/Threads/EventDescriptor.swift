// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// An `eventfd`: a bell that other threads ring, and that epoll and poll see.
package struct EventDescriptor: ~Copyable, Sendable {
    package let descriptor: Int32

    package init() throws(ThreadError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw ThreadError(call: "eventfd", code: errno) }
    }

    package borrowing func ring() { _ = eventfd_write(descriptor, 1) }

    package borrowing func silence() {
        var rings: eventfd_t = 0
        _ = eventfd_read(descriptor, &rings)
    }

    deinit { close(descriptor) }
}
