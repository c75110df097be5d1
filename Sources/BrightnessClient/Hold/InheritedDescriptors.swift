// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The open descriptors that this process got from its parent, for a command that it starts.
///
/// libcurl opens descriptors without close-on-exec, which a command must not get. It does get the caller's files and
/// pipes, such as a shell's `<(…)`.
struct InheritedDescriptors {
    private let descriptors: Set<Int32>

    /// Reads them. Call it before the first connection.
    init() { descriptors = Self.open }

    /// Makes the kernel close every other descriptor when a command is started.
    func closeOthersOnExec() {
        for descriptor in Self.open.subtracting(descriptors) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    private static var open: Set<Int32> {
        guard let directory = opendir("/proc/self/fd") else { return [] }
        defer { closedir(directory) }
        var descriptors: Set<Int32> = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let descriptor = Int32(name), descriptor != dirfd(directory) { descriptors.insert(descriptor) }
        }
        return descriptors
    }
}
