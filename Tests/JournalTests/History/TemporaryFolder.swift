// SPDX-License-Identifier: Apache-2.0
import Glibc

@testable import Journal

/// A directory that is removed with this object.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/brightnessd-journal-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw DatabaseError.unmovable(errno: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
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

    /// Damages the first page of a table in a closed database.
    func overwritePage(of table: String, in file: String) throws {
        var (page, size): (Int64, Int64) = (0, 0)
        do {
            let database = try SQLiteConnection(path: file)
            try database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'").run {
                page = $0.integer(0) ?? 0
            }
            try database.prepare("PRAGMA page_size").run { size = $0.integer(0) ?? 0 }
        }
        let descriptor = open(file, O_WRONLY)
        defer { close(descriptor) }
        let garbage = [UInt8](repeating: 0xA5, count: Int(size))
        guard page > 1, pwrite(descriptor, garbage, garbage.count, off_t((page - 1) * size)) == garbage.count else {
            throw DatabaseError.unmovable(errno: errno)
        }
    }
}
