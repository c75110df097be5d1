// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A temporary directory like `/sys` with devices of one class, by default backlights; removed when it is released.
///
/// As on a real system, `class/CLASS/NAME` is a symbolic link to the device's directory.
package final class SysfsTree: Sendable {
    /// The value for `--sysfs-root`.
    package var root: String { folder.path }
    private let folder: TemporaryFolder
    private let deviceClass: String

    package init(of deviceClass: String = "backlight") throws {
        self.deviceClass = deviceClass
        folder = try TemporaryFolder()
        // Readable for other users' processes, like /sys.
        try chmod(0o755, "")
        for directory in ["class", "class/\(deviceClass)", "devices"] { try makeDirectory(directory) }
    }

    /// The path of a device's file.
    package func path(_ name: String, _ file: String = "brightness") -> String {
        "\(root)/class/\(deviceClass)/\(name)/\(file)"
    }

    /// Adds a device with these file contents, each followed by a line end. Without a `type` that file is missing.
    package func addBacklight(
        _ name: String,
        brightness: Int = 400,
        maximum: Int = 1_000,
        type: String? = "raw"
    ) throws {
        try addDevice(name, brightness: brightness, maximum: maximum)
        try set("\(brightness)\n", name, "actual_brightness")
        if let type { try set("\(type)\n", name, "type") }
    }

    /// Adds a device with the common files of backlights and LEDs.
    package func addDevice(_ name: String, brightness: Int = 400, maximum: Int = 1_000) throws {
        try makeDirectory("devices/\(name)")
        try link("class/\(deviceClass)/\(name)", to: "../../devices/\(name)")
        try set("\(maximum)\n", name, "max_brightness")
        try set("\(brightness)\n", name, "brightness")
    }

    /// Unplugs a device.
    package func removeBacklight(_ name: String) {
        TemporaryFolder.removeAll("\(root)/devices/\(name)")
        unlink("\(root)/class/\(deviceClass)/\(name)")
    }

    /// Replaces a file's contents atomically, like another program's write on sysfs. Its mode is 0644.
    package func set(_ text: String, _ name: String, _ file: String = "brightness") throws {
        try set(Array(text.utf8), name, file)
    }

    package func set(_ bytes: [UInt8], _ name: String, _ file: String = "brightness") throws {
        try replace(path(name, file), by: bytes, through: path(name, ".new"))
    }

    private func replace(_ path: String, by bytes: [UInt8], through new: String) throws {
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemCallError("open", new) }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fchmod(descriptor, 0o644) == 0 else {
            throw SystemCallError("write", new)
        }
        guard rename(new, path) == 0 else { throw SystemCallError("rename", path) }
    }

    /// The first 4,096 bytes of a file.
    package func read(_ name: String, _ file: String = "brightness") throws -> String {
        let path = path(name, file)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemCallError("open", path) }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        guard count >= 0 else { throw SystemCallError("read", path) }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    /// Removes a file or a directory with its contents.
    package func remove(_ name: String, _ file: String) { TemporaryFolder.removeAll(path(name, file)) }

    /// Replaces a file by a directory.
    package func replaceByDirectory(_ name: String, _ file: String) throws {
        remove(name, file)
        try makeDirectory("devices/\(name)/\(file)")
    }

    /// Replaces a file by a symbolic link to `target`.
    package func replaceByLink(to target: String, _ name: String, _ file: String) throws {
        remove(name, file)
        try link("class/\(deviceClass)/\(name)/\(file)", to: target)
    }

    package func chmod(_ mode: UInt32, _ name: String, _ file: String) throws {
        try chmod(mode, "class/\(deviceClass)/\(name)/\(file)")
    }

    // MARK: Paths below the root

    /// Creates a directory; `path` is relative to the root.
    package func makeDirectory(_ path: String) throws {
        guard mkdir("\(root)/\(path)", 0o755) == 0 else { throw SystemCallError("mkdir", path) }
        try chmod(0o755, path)
    }

    /// Replaces a file's contents atomically; `path` is relative to the root.
    package func write(_ text: String, _ path: String) throws {
        try replace("\(root)/\(path)", by: Array(text.utf8), through: "\(root)/\(path).new")
    }

    /// Creates a symbolic link; `path` is relative to the root, `target` is unchanged.
    package func link(_ path: String, to target: String) throws {
        guard symlink(target, "\(root)/\(path)") == 0 else { throw SystemCallError("symlink", path) }
    }

    /// Removes a file or a directory with its contents; `path` is relative to the root.
    package func removeAll(_ path: String) { TemporaryFolder.removeAll("\(root)/\(path)") }

    private func chmod(_ mode: UInt32, _ path: String) throws {
        guard Glibc.chmod("\(root)/\(path)", mode) == 0 else { throw SystemCallError("chmod", path) }
    }

    /// The files below the root that this process has open.
    package func openFiles() -> [String] {
        TemporaryFolder.entries(of: "/proc/self/fd").compactMap { descriptor in
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
            let path = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
            return path.hasPrefix(root) ? path : nil
        }
    }
}
