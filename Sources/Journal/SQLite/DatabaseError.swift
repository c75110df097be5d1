// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
import Glibc

/// What SQLite did not do, and why.
package enum DatabaseError: Error, Equatable, CustomStringConvertible {
    /// - `code`: a primary result code, `SQLITE_FULL` for example.
    /// - `message`: SQLite's own.
    case sqlite(code: Int32, message: String)
    /// A newer brightnessd wrote the file: it has tables that this one does not know.
    case newer(version: Int)
    /// A check of its tables found something.
    case damaged
    /// A damaged file cannot be renamed.
    case unmovable(errno: Int32)
    /// The file or its directory cannot be reached.
    case unusable(errno: Int32)
    /// Another daemon holds the directory.
    case inUse

    /// Whether this file can never be used, and another one is needed: what SQLite found in it, not what it could not do.
    var condemnsFile: Bool {
        switch self {
        case .sqlite(let code, _): [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code)
        case .newer, .damaged: true
        case .unmovable, .unusable, .inUse: false
        }
    }

    /// The same for a file that was just opened: statements that do not fit mean that its tables are not ours.
    var condemnsFileAtOpening: Bool { condemnsFile || isAboutStatement }

    /// Whether the statement could not be run as such. On a connection that worked before, that is the connection's fault,
    /// not the file's: a transaction that could not be rolled back, for example.
    var isAboutStatement: Bool {
        if case .sqlite(let code, _) = self {
            [SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISUSE].contains(code)
        } else {
            false
        }
    }

    var isFullDisk: Bool { if case .sqlite(SQLITE_FULL, _) = self { true } else { false } }

    package var description: String {
        switch self {
        case .sqlite(SQLITE_FULL, _): "the disk is full"
        case .sqlite(SQLITE_IOERR, _): "the disk reports read or write errors"
        case .sqlite(SQLITE_READONLY, _): "the state directory is read-only"
        case .sqlite(SQLITE_CANTOPEN, _), .sqlite(SQLITE_PERM, _): "the state directory cannot be used"
        case .damaged, .sqlite(SQLITE_CORRUPT, _), .sqlite(SQLITE_NOTADB, _): "the file is damaged"
        case .sqlite(SQLITE_BUSY, _), .sqlite(SQLITE_LOCKED, _): "another program holds the file"
        case .sqlite(_, let message): message
        case .newer(let version): "a newer brightnessd wrote it (version \(version) of its tables)"
        case .unmovable(let errno): "a damaged file cannot be set aside: \(String(cString: strerror(errno)))"
        case .unusable(let errno): "the state directory cannot be used: \(String(cString: strerror(errno)))"
        case .inUse: "another brightnessd uses the state directory"
        }
    }
}
