// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The path of the journal's database and the operations on it as a file.
struct JournalFile: Sendable {
    static let name = "journal.db"
    private static let logSuffix = "-wal"
    /// The suffixes of SQLite's files, in the order of renaming. The log first: if renaming is interrupted, the file
    /// without its log is only older, but a log next to another file corrupts that file.
    private static let suffixes = [logSuffix, "-shm", "", "-journal"]

    let directory: String
    let clock: BootClock
    let disk: any JournalDisk
    /// The database behind all symbolic links. SQLite keeps the log next to it.
    let path: String
    private let logPath: String

    init(directory: String, clock: BootClock, disk: any JournalDisk = SystemDisk()) {
        self.directory = directory
        self.clock = clock
        self.disk = disk
        path = disk.target(of: "\(directory)/\(Self.name)")
        logPath = path + Self.logSuffix
    }

    /// The file as its links lead to it now.
    var located: JournalFile { JournalFile(directory: directory, clock: clock, disk: disk) }

    /// The size in bytes, including the write-ahead log.
    var size: Int { (size(of: path) ?? 0) + (size(of: logPath) ?? 0) }

    /// The bytes available for the write-ahead log, including its current size.
    var logCapacity: Int { disk.freeBytes(in: path.directory) + (size(of: logPath) ?? 0) }

    /// Whether the write-ahead log of the open database still exists.
    var hasLog: Bool { size(of: logPath) != nil }

    private func size(of path: String) -> Int? { (try? disk.size(of: path)) ?? nil }

    /// Checks the file and those next to it, before SQLite opens them: the opening of a pipe would block for ever.
    ///
    /// - Returns: Whether the file exists.
    func check() throws(DatabaseError) -> Bool {
        for suffix in Self.suffixes { _ = try disk.size(of: path + suffix) }
        return try disk.size(of: path) != nil
    }

    /// Creates the file for this user only, unless it exists. Its log gets the same permissions.
    func create() throws(DatabaseError) { if try !check() { disk.create(path) } }

    /// Locks the directory for this daemon.
    func lock() throws(DatabaseError) -> any AnyObject & Sendable {
        do throws(StateDirectory.Failure) {
            return try disk.lock(directory)
        } catch {
            switch error {
            case .inUse: throw .inUse
            case .unusable(_, let errno): throw .unusable(errno: errno)
            }
        }
    }

    /// Renames the file and its log, to keep all their content. The connection must be closed.
    ///
    /// - Returns: Its new path, where no file was before.
    func setAside(because error: DatabaseError, at now: Moment) throws(DatabaseError) -> String {
        var number = now.wall.milliseconds
        func new(_ suffix: String = "") -> String { "\(path).\(error.label)-\(number)\(suffix)" }
        for suffix in Self.suffixes { while try disk.size(of: new(suffix)) != nil { number += 1 } }
        for suffix in Self.suffixes { try disk.rename(path + suffix, to: new(suffix)) }
        return new()
    }
}
