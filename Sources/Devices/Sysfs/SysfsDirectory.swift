// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc

/// A directory of sysfs, such as a class with its devices.
struct SysfsDirectory: Sendable {
    let path: String

    /// The devices of a class, sorted by name.
    var devices: [KernelName] {
        get throws(DeviceError) { try names.compactMap { KernelName($0) } }
    }

    /// The sorted names in it; empty if it does not exist.
    ///
    /// - Throws: If it exists and cannot be listed.
    var names: [String] {
        get throws(DeviceError) {
            guard let directory = opendir(path) else {
                let error = DeviceError(errno: errno, path: path)
                if case .absent = error { return [] }
                throw error
            }
            defer { closedir(directory) }
            var names: [String] = []
            errno = 0
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                    // The C array is a tuple here, valid up to its zero byte.
                    name.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
                }
                if name != "." && name != ".." { names.append(name) }
                errno = 0
            }
            guard errno == 0 else { throw DeviceError(errno: errno, path: path) }
            return names.sorted()
        }
    }
}
