// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The path of the journal's database and the operations on it as a file.
struct JournalFile: Sendable {
    static let name = "journal.db"

    let directory: String
    let clock: BootClock
    var disk: any JournalDisk = SystemDisk()

    var path: String { "\(directory)/\(Self.name)" }

    private var logPath: String { "\(path)-wal" }

    var exists: Bool { get throws(DatabaseError) { try disk.size(of: path) != nil } }

    /// The size in bytes, including the write-ahead log.
    var size: Int { (size(of: path) ?? 0) + (size(of: logPath) ?? 0) }

    /// The bytes available for the write-ahead log, including its current size.
    var room: Int { disk.room(in: directory) + (size(of: logPath) ?? 0) }

    /// Whether the write-ahead log of the open database still exists.
    var hasLog: Bool { size(of: logPath) != nil }

    private func size(of path: String) -> Int? { (try? disk.size(of: path)) ?? nil }

    /// Locks the directory for this daemon.
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

    /// Renames the file and its log, to keep all their content. The connection must be closed.
    ///
    /// - Returns: Its new path.
    func setAside(at now: Moment) throws(DatabaseError) -> String {
        let new = "\(path).damaged-\(now.wall.milliseconds)"
        // The log first: the file without its log is only older, but a log that belongs to another file corrupts it.
        for suffix in ["-wal", "-shm", "", "-journal"] { try disk.rename(path + suffix, to: new + suffix) }
        return new
    }
}
