// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
import Glibc

/// The reason why a database operation failed.
package enum DatabaseError: Error, Equatable, CustomStringConvertible {
    /// - `code`: a primary result code, such as `SQLITE_FULL`.
    /// - `message`: SQLite's message.
    case sqlite(code: Int32, message: String)
    /// Another version of brightnessd, or another program, wrote the file. The payload is the version of its tables.
    case otherVersion(Int)
    /// A check of the tables failed.
    case damaged
    /// The file cannot be renamed.
    case unmovable(errno: Int32)
    /// A pipe, a directory or a device has the name of the file.
    case notAFile(name: String)
    /// The file or its directory cannot be reached.
    case unusable(errno: Int32)
    /// Another daemon holds the directory.
    case inUse

    /// Whether the file itself is unusable and has to be replaced, and not only this operation failed.
    var condemnsFile: Bool {
        switch self {
        case .sqlite(let code, _): [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code)
        case .otherVersion, .damaged: true
        case .unmovable, .notAFile, .unusable, .inUse: false
        }
    }

    /// Whether a file that was just opened is unusable. Statements that fail then mean that the tables are not the
    /// journal's.
    var condemnsFileAtOpening: Bool { condemnsFile || isAboutStatement }

    /// Whether the statement itself failed. On a connection that worked before, the connection is the cause and not the
    /// file: for example, a transaction that could not be rolled back.
    var isAboutStatement: Bool {
        if case .sqlite(let code, _) = self {
            [SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISUSE].contains(code)
        } else {
            false
        }
    }

    var isOfOtherVersion: Bool { if case .otherVersion = self { true } else { false } }

    /// The word for a file that is set aside for this reason, in its new name.
    var label: String { if case .otherVersion(let version) = self { "version-\(version)" } else { "damaged" } }

    package var description: String {
        switch self {
        case .sqlite(SQLITE_FULL, _): "the disk is full"
        case .sqlite(SQLITE_IOERR, _): "the disk reports read or write errors"
        case .sqlite(SQLITE_READONLY, _): "the state directory is read-only"
        case .sqlite(SQLITE_CANTOPEN, _), .sqlite(SQLITE_PERM, _): "the state directory cannot be used"
        case .damaged, .sqlite(SQLITE_CORRUPT, _), .sqlite(SQLITE_NOTADB, _): "the file is damaged"
        case .sqlite(SQLITE_BUSY, _), .sqlite(SQLITE_LOCKED, _): "another program holds the file"
        case .sqlite(_, let message): message
        case .otherVersion(let version):
            "the file has version \(version) of the tables, and this brightnessd uses version \(Schema.version)"
        case .unmovable(let errno): "the file cannot be set aside: \(String(cString: strerror(errno)))"
        case .notAFile(let name): "\(name) is not a regular file"
        case .unusable(let errno): "the state directory cannot be used: \(String(cString: strerror(errno)))"
        case .inUse: "another brightnessd uses the state directory"
        }
    }
}
