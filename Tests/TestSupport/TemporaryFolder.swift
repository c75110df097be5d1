// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A failed system call that the test needs.
package struct SystemCallError: Error, CustomStringConvertible {
    package let description: String

    package init(_ call: String, _ path: String) {
        description = "\(call) \(path): \(String(cString: strerror(errno)))"
    }
}

/// A directory that is removed with its contents when this object is released.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        var template = Array("/tmp/brightnessd-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemCallError("mkdtemp", "/tmp") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { Self.removeAll(path) }

    /// Writes a file that only this user can read. Returns its path.
    package func write(_ text: String, to name: String) throws -> String {
        let path = "\(path)/\(name)"
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemCallError("open", path) }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw SystemCallError("write", path) }
        return path
    }

    /// Removes a file, a link (not its target) or a directory with its contents.
    static func removeAll(_ path: String) {
        if Glibc.remove(path) == 0 { return }
        for name in entries(of: path) { removeAll("\(path)/\(name)") }
        rmdir(path)
    }

    /// The names in a directory; empty if it cannot be listed.
    static func entries(of path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}
