// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD

/// Calls that are variadic in C.
enum Descriptor {
    /// Another descriptor of the same; -1 if there is none left. Programs that are started do not get it.
    static func duplicate(_ descriptor: Int32) -> Int32 { cmhd_duplicate(descriptor) }

    /// What would wait fails from now on, also for other processes that share it.
    static func unblock(_ descriptor: Int32) -> Bool { cmhd_unblock(descriptor) == 0 }
}
