// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport

@testable import Journal

extension TemporaryFolder {
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
            throw SystemCallError("pwrite", file)
        }
    }
}
