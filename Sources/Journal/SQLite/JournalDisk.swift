// SPDX-License-Identifier: Apache-2.0
import Glibc
import Support

/// The file system as the journal uses it. Injected, so that tests can make any open, read, write or lock fail.
package protocol JournalDisk: Sendable {
    /// The name of SQLite's VFS that opens the journal; `nil` for the default.
    var vfs: String? { get }
    /// The name of SQLite's VFS that reads a file without a lock.
    var locklessVFS: String { get }

    /// Creates the directory if it does not exist, and locks it for this daemon while the result exists.
    func lock(_ directory: String) throws(StateDirectory.Failure) -> any AnyObject & Sendable

    /// Follows the symbolic links of a path, of which the last may lead nowhere.
    func target(of path: String) -> String

    /// Creates an empty file that only this user can read, unless there is one. SQLite reports a failure.
    func create(_ path: String)

    /// Returns the size in bytes; `nil` for a file that does not exist.
    ///
    /// - Throws: Also for anything but a regular file.
    func size(of path: String) throws(DatabaseError) -> Int?

    /// Returns the free bytes, at most 2^40.
    func freeBytes(in directory: String) -> Int

    /// Renames a file. Does nothing if it does not exist.
    func rename(_ path: String, to new: String) throws(DatabaseError)
}

/// The machine's file system.
package struct SystemDisk: JournalDisk {
    package let vfs: String? = nil
    package let locklessVFS = "unix-none"

    package func lock(_ directory: String) throws(StateDirectory.Failure) -> any AnyObject & Sendable {
        try StateDirectory(directory)
    }

    package func target(of path: String) -> String {
        var path = path
        // The kernel follows 40 links, too.
        for _ in 0..<40 {
            guard let link = linkTarget(of: path) else { break }
            path = link.hasPrefix("/") ? link : path.directory + "/" + link
        }
        return path
    }

    package func create(_ path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file >= 0 { close(file) }
    }

    package func size(of path: String) throws(DatabaseError) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .unusable(errno: errno) }
            return nil
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .notAFile(name: String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]))
        }
        return Int(status.st_size)
    }

    package func freeBytes(in directory: String) -> Int {
        var status = statvfs()
        guard statvfs(directory, &status) == 0 else { return 0 }
        return Self.bytes(inBlocks: UInt64(status.f_bavail), ofSize: UInt64(status.f_frsize))
    }

    /// A file system without a limit may report 2^64 - 1 blocks.
    static func bytes(inBlocks count: UInt64, ofSize size: UInt64) -> Int {
        Int(min(Double(count) * Double(size), 0x1p40))
    }

    package func rename(_ path: String, to new: String) throws(DatabaseError) {
        guard Glibc.rename(path, new) == 0 || errno == ENOENT else { throw .unmovable(errno: errno) }
    }
}

extension String {
    /// The directory of a path: what stands before its last slash.
    var directory: String { lastIndex(of: "/").map { String(self[..<$0]) } ?? "." }
}
