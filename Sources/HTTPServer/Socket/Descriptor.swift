// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD

/// Calls of fcntl(2), which is variadic in C.
enum Descriptor {
    /// Returns another descriptor of the same file, closed on exec; -1 if no descriptor is free.
    static func duplicate(_ descriptor: Int32) -> Int32 { cmhd_duplicate(descriptor) }

    /// Makes a descriptor non-blocking, also for other processes that share it.
    static func unblock(_ descriptor: Int32) -> Bool { cmhd_unblock(descriptor) == 0 }
}
