// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc

/// Where the journal's database is, and what happens when it cannot be used: it is set aside under another name, never
/// lost, and a new one is begun.
struct JournalFile: Sendable {
    static let name = "journal.db"

    let directory: String
    let clock: BootClock

    var path: String { "\(directory)/\(Self.name)" }

    /// Bytes, with the log beside it.
    var size: Int {
        [path, "\(path)-wal"].reduce(0) { size, path in
            var status = stat()
            return stat(path, &status) == 0 ? size + Int(status.st_size) : size
        }
    }

    /// An open database, what it has of an earlier run, and how that came.
    struct Opened: ~Copyable {
        var database: JournalDatabase
        let earlier: [DisplayID: EarlierRecord]
        let health: JournalHealth
    }

    func open(at now: Moment) throws(DatabaseError) -> Opened {
        do throws(DatabaseError) {
            return try begin(.durable, at: now)
        } catch  where error.condemnsFile {
            let setAside = try setAside(at: now)
            return try begin(.begunAnew(setAside: setAside, why: error.description), at: now)
        }
    }

    private func begin(_ health: JournalHealth, at now: Moment) throws(DatabaseError) -> Opened {
        var database = try JournalDatabase(Database(path: path), clock)
        let earlier = try database.begin(at: now)
        return Opened(database: database, earlier: earlier, health: health)
    }

    /// Renames the file and its log; the connection to it is closed by then.
    func setAside(at now: Moment) throws(DatabaseError) -> String {
        let new = "\(path).damaged-\(now.wall.milliseconds)"
        // The log first: without it the file is only older, but with a log of another file it would be wrong.
        for suffix in ["-wal", "-shm", "", "-journal"] {
            guard rename(path + suffix, new + suffix) == 0 || errno == ENOENT else {
                throw .unmovable(errno: errno)
            }
        }
        return new
    }
}
