// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport

extension TemporaryFolder {
    /// Writes a file that only this user can read.
    func write(_ text: String, to name: String) throws -> String {
        let path = "\(path)/\(name)"
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemCallError("open", path) }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw SystemCallError("write", path) }
        return path
    }
}
