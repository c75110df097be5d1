// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// Where the journal's database is, and what happens when it cannot be used: it is set aside under another name, never
/// lost, and a new one is begun. What cannot be written is still read.
struct JournalFile: Sendable {
    static let name = "journal.db"

    let directory: String
    let clock: BootClock
    var disk: any JournalDisk = SystemDisk()

    var path: String { "\(directory)/\(Self.name)" }

    /// Bytes, with the log.
    var size: Int { (size(of: path) ?? 0) + (size(of: "\(path)-wal") ?? 0) }

    /// Whether the log of a database that is open is where it was.
    var hasLog: Bool { size(of: "\(path)-wal") != nil }

    private func size(of path: String) -> Int? { (try? disk.size(of: path)) ?? nil }

    /// Holds the directory for this daemon.
    func hold() throws(DatabaseError) -> any AnyObject & Sendable {
        do throws(StateDirectory.Failure) {
            return try disk.hold(directory)
        } catch {
            switch error {
            case .inUse: throw .inUse
            case .unusable(_, let errno): throw .unusable(errno: errno)
            }
        }
    }

    /// An open database, what it has of an earlier run, and how that came.
    struct Opened: ~Copyable {
        var database: JournalDatabase
        let earlier: EarlierRecords
        let health: JournalHealth
    }

    /// A copy in memory of a database that cannot be written, and what it has of an earlier run.
    struct Copy: ~Copyable {
        var database: JournalDatabase
        let earlier: EarlierRecords
    }

    /// Opens the database, or begins one, and writes what this run has for it, all of it or nothing.
    ///
    /// - Parameters:
    ///   - known: The database's records as this run knows them already; `nil` to go by the file.
    ///   - new: Records of this run that replace them.
    ///   - timeout: How long to wait for another program that holds the file.
    func open(
        over known: EarlierRecords? = nil,
        with new: [DisplayID: DisplayRecord] = [:],
        timeout: Duration = .zero,
        at now: Moment
    ) throws(DatabaseError) -> Opened {
        do throws(DatabaseError) {
            return try begin(.durable, over: known, with: new, timeout: timeout, at: now)
        } catch  where error.condemnsFileAtOpening {
            let setAside = try setAside(at: now)
            let health = JournalHealth.begunAnew(setAside: setAside, why: error.description)
            return try begin(health, over: known, with: new, timeout: timeout, at: now)
        }
    }

    private func begin(
        _ health: JournalHealth,
        over known: EarlierRecords?,
        with new: [DisplayID: DisplayRecord],
        timeout: Duration,
        at now: Moment
    ) throws(DatabaseError) -> Opened {
        let log = Database.logPages(in: disk.room(in: directory) + (size(of: "\(path)-wal") ?? 0))
        let connection = try Database(path: path, on: disk, logPages: log, timeout: timeout)
        var database = try JournalDatabase(connection, clock)
        let earlier = try database.begin(over: known, with: new, at: now)
        return Opened(database: database, earlier: earlier, health: health)
    }

    /// Reads a file that cannot be written, whatever the reason, and leaves it and its log as they are.
    func copy(at now: Moment) throws(DatabaseError) -> Copy {
        let memory = try Database(path: ":memory:")
        if try disk.size(of: path) != nil { try Database(reading: path, on: disk).copy(into: memory) }
        let database = try JournalDatabase(memory, clock, isCopy: true)
        let earlier = try database.earlier(at: now)
        return Copy(database: database, earlier: earlier)
    }

    /// Renames the file and its log; the connection to it is closed by then.
    func setAside(at now: Moment) throws(DatabaseError) -> String {
        let new = "\(path).damaged-\(now.wall.milliseconds)"
        // The log first: without it the file is only older, but with a log of another file it would be wrong.
        for suffix in ["-wal", "-shm", "", "-journal"] { try disk.rename(path + suffix, to: new + suffix) }
        return new
    }
}
