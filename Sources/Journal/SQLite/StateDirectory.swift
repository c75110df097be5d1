// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The directory for persistent state, locked by one daemon at a time, until this value is released or the process
/// ends.
package final class StateDirectory: Sendable {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// Another daemon has locked the directory: its process id, if known.
        case inUse(path: String, by: Int?)
        case unusable(path: String, errno: Int32)

        var isInUse: Bool { if case .inUse = self { true } else { false } }

        package var description: String {
            switch self {
            case .inUse(let path, let process):
                """
                another brightnessd\(process.map { " (process \($0))" } ?? "") uses \(path). Stop it, or choose \
                another directory for this one with --state-directory, or none with --state-directory none.
                """
            case .unusable(let path, let errno):
                """
                \(path) cannot be used: \(String(cString: strerror(errno))). Make it a directory that this user may \
                write, or choose another with --state-directory, or none with --state-directory none.
                """
            }
        }
    }

    let path: String
    private let locks: [Int32]

    /// Creates the directory if it does not exist, for this user only, and locks it.
    ///
    /// Locks the directory and a file in it, `brightnessd.lock`, as far as they can be opened: a full or read-only disk
    /// may lack the file, and some file systems cannot lock a directory.
    init(_ path: String) throws(Failure) {
        self.path = path
        try Self.make(path)
        let attempts = [
            Result { () throws(Failure) in try Self.openFile(in: path) },
            Result { () throws(Failure) in try Self.openDirectory(path) },
        ]
        locks = attempts.compactMap { try? $0.get() }
        let failures = attempts.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }
        if let failure = failures.first(where: \.isInUse) ?? (locks.isEmpty ? failures.first : nil) {
            for lock in locks { close(lock) }
            throw failure
        }
    }

    deinit { for lock in locks { close(lock) } }

    static let lockName = "brightnessd.lock"

    private static func openFile(in path: String) throws(Failure) -> Int32 {
        let file = "\(path)/\(lockName)"
        // Follows no link out of the directory, and does not wait for the other end of a pipe.
        let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        var lock = Glibc.open(file, O_RDWR | O_CREAT | flags, 0o600)
        if lock < 0 { lock = Glibc.open(file, O_RDONLY | flags) }
        try acquire(lock, path)
        // For people, and for the next daemon's message. A full disk does not prevent locking.
        let process = Array("\(getpid())\n".utf8)
        if isOurs(lock), ftruncate(lock, 0) == 0 { _ = pwrite(lock, process, process.count, 0) }
        return lock
    }

    /// Whether a file is empty or contains only a process's id, as an earlier daemon left it. Any other content is
    /// somebody else's.
    private static func isOurs(_ lock: Int32) -> Bool {
        var status = stat()
        guard fstat(lock, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return status.st_size == 0 || processID(in: lock) != nil
    }

    private static func openDirectory(_ path: String) throws(Failure) -> Int32 {
        let directory = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try acquire(directory, path)
        return directory
    }

    /// Locks an open descriptor, or closes it.
    private static func acquire(_ lock: Int32, _ path: String) throws(Failure) {
        guard lock >= 0 else { throw .unusable(path: path, errno: errno) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            let (error, process) = (errno, Self.processID(in: lock))
            close(lock)
            throw error == EWOULDBLOCK ? .inUse(path: path, by: process) : .unusable(path: path, errno: error)
        }
    }

    /// The default directory: systemd's `StateDirectory=`, `/var/lib/brightnessd` for root, else below the user's state
    /// directory. `nil` for a user without a home.
    ///
    /// - SeeAlso: systemd.exec(5), https://specifications.freedesktop.org/basedir-spec/latest
    package static var `default`: String? {
        `default`(isRoot: geteuid() == 0) { getenv($0).map { String(cString: $0) } }
    }

    static func `default`(isRoot: Bool, _ variable: (String) -> String?) -> String? {
        func absolute(_ name: String) -> String? { variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        if let directory = absolute("STATE_DIRECTORY") { return directory }
        if isRoot { return "/var/lib/brightnessd" }
        let state = absolute("XDG_STATE_HOME") ?? absolute("HOME").map { "\($0)/.local/state" }
        return state.map { "\($0)/brightnessd" }
    }

    private static func make(_ path: String) throws(Failure) {
        var made = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            made += (made.isEmpty && part.isEmpty ? "" : part)
            if !made.isEmpty, mkdir(made, 0o700) != 0, errno != EEXIST { throw .unusable(path: path, errno: errno) }
            made += "/"
        }
    }

    private static func processID(in lock: Int32) -> Int? {
        var buffer = [UInt8](repeating: 0, count: 20)
        let count = pread(lock, &buffer, buffer.count, 0)
        guard count > 1, count < buffer.count, buffer[count - 1] == UInt8(ascii: "\n") else { return nil }
        return Int(String(decoding: buffer.prefix(count - 1), as: UTF8.self))
    }
}
