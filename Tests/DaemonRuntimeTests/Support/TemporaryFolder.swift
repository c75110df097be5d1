// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A directory that is removed with this object, including its files.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/brightnessd-runtime-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    struct Failure: Error {
        let code: Int32
    }

    /// Writes a file that only this user can read.
    func write(_ text: String, to name: String) throws -> String {
        let path = "\(path)/\(name)"
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(code: errno) }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw Failure(code: errno) }
        return path
    }

    deinit {
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) {
                    String(cString: $0.bindMemory(to: CChar.self).baseAddress!)
                }
                unlink("\(path)/\(name)")
            }
            closedir(folder)
        }
        rmdir(path)
    }
}
