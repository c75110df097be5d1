// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
import Glibc

/// What SQLite did not do, and why.
enum DatabaseError: Error, Equatable, CustomStringConvertible {
    /// - `code`: a primary result code, `SQLITE_FULL` for example.
    /// - `message`: SQLite's own.
    case sqlite(code: Int32, message: String)
    /// A newer brightnessd wrote the file: it has tables that this one does not know.
    case newer(version: Int)
    /// A check of its tables found something.
    case damaged
    /// A damaged file cannot be renamed.
    case unmovable(errno: Int32)

    /// Whether this file can never be used, and another one is needed.
    var condemnsFile: Bool {
        switch self {
        case .sqlite(let code, _): [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_SCHEMA, SQLITE_ERROR].contains(code)
        case .newer, .damaged: true
        case .unmovable: false
        }
    }

    var description: String {
        switch self {
        case .sqlite(SQLITE_FULL, _): "the disk is full"
        case .sqlite(SQLITE_IOERR, _): "the disk does not take it or give it back"
        case .sqlite(SQLITE_READONLY, _): "the state directory is read-only"
        case .sqlite(SQLITE_CANTOPEN, _), .sqlite(SQLITE_PERM, _): "the state directory cannot be used"
        case .damaged, .sqlite(SQLITE_CORRUPT, _), .sqlite(SQLITE_NOTADB, _): "the file is damaged"
        case .sqlite(SQLITE_BUSY, _), .sqlite(SQLITE_LOCKED, _): "another program holds the file"
        case .sqlite(_, let message): message
        case .newer(let version): "a newer brightnessd wrote it (version \(version) of its tables)"
        case .unmovable(let errno): "a damaged file cannot be set aside: \(String(cString: strerror(errno)))"
        }
    }
}
