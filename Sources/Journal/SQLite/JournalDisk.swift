// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The file system as the journal uses it. Injected, so that tests can make any open, read, write or lock fail.
package protocol JournalDisk: Sendable {
    /// The name of SQLite's VFS that opens the journal; `nil` for the default.
    var vfs: String? { get }
    /// The name of SQLite's VFS that reads a file without a lock.
    var locklessVFS: String { get }

    /// Creates the directory if it does not exist, and locks it for this daemon while the result exists.
    func hold(_ directory: String) throws(StateDirectory.Failure) -> any AnyObject & Sendable

    /// Returns the size in bytes; `nil` for a file that does not exist.
    func size(of path: String) throws(DatabaseError) -> Int?

    /// Returns the free bytes in the directory.
    func room(in directory: String) -> Int

    /// Renames a file. Does nothing if it does not exist.
    func rename(_ path: String, to new: String) throws(DatabaseError)
}

/// The machine's file system.
package struct SystemDisk: JournalDisk {
    package let vfs: String? = nil
    package let locklessVFS = "unix-none"

    package init() {}

    package func hold(_ directory: String) throws(StateDirectory.Failure) -> any AnyObject & Sendable {
        try StateDirectory(directory)
    }

    package func size(of path: String) throws(DatabaseError) -> Int? {
        var status = stat()
        if stat(path, &status) == 0 { return Int(status.st_size) }
        guard errno == ENOENT else { throw .unusable(errno: errno) }
        return nil
    }

    package func room(in directory: String) -> Int {
        var status = statvfs()
        return statvfs(directory, &status) == 0 ? Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize)) : 0
    }

    package func rename(_ path: String, to new: String) throws(DatabaseError) {
        guard Glibc.rename(path, new) == 0 || errno == ENOENT else { throw .unmovable(errno: errno) }
    }
}
