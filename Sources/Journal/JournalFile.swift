// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// Where the journal's database is, and what is done with it as a file.
struct JournalFile: Sendable {
    static let name = "journal.db"

    let directory: String
    let clock: BootClock
    var disk: any JournalDisk = SystemDisk()

    var path: String { "\(directory)/\(Self.name)" }

    private var logPath: String { "\(path)-wal" }

    var exists: Bool { get throws(DatabaseError) { try disk.size(of: path) != nil } }

    /// Bytes, with the log.
    var size: Int { (size(of: path) ?? 0) + (size(of: logPath) ?? 0) }

    /// Bytes that are free for the log, with those it has.
    var room: Int { disk.room(in: directory) + (size(of: logPath) ?? 0) }

    /// Whether the log of a database that is open is where it was.
    var hasLog: Bool { size(of: logPath) != nil }

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

    /// Renames the file and its log, so that nothing of it is lost; the connection to it is closed by then.
    ///
    /// - Returns: Its new path.
    func setAside(at now: Moment) throws(DatabaseError) -> String {
        let new = "\(path).damaged-\(now.wall.milliseconds)"
        // The log first: without it the file is only older, but with a log of another file it would be wrong.
        for suffix in ["-wal", "-shm", "", "-journal"] { try disk.rename(path + suffix, to: new + suffix) }
        return new
    }
}
