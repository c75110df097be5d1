// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
import Glibc
package import Journal

/// A file system in memory for the journal, with scripted faults. Outlives the daemons that use it: a killed daemon's
/// writes stay, and after `cutPower` only its synced writes.
package final class ScriptedDisk: JournalDisk, @unchecked Sendable {  // One thread: the test's.
    /// An operation on a file that a test can make fail.
    package enum Operation: CaseIterable, Sendable {
        case open, read, write, sync, truncate, lock, delete
    }

    /// The locks of another program on the journal's files.
    package enum OtherProgram: Sendable {
        case none, reads, writes
    }

    /// Returns SQLite's result of an operation: `nil` for success, or a result code such as `SQLITE_IOERR`.
    package var fault: (_ operation: Operation, _ path: String) -> Int32? = { _, _ in nil }
    /// The maximum size of all files together in bytes.
    package var capacity = Int.max
    package var isReadOnly = false
    package var otherProgram = OtherProgram.none
    /// The number of files that can still be renamed: a daemon may be killed in between.
    package var renames = Int.max
    /// Whether the directory is accessible.
    package var isMounted = true
    /// The number of syncs.
    package private(set) var syncs = 0

    var files: [String: File] = [:]
    /// The number of processes that used the disk.
    private(set) var process = 0
    private weak var holder: Lock?
    private let names: [UnsafeMutablePointer<CChar>]
    private let registered: [UnsafeMutablePointer<sqlite3_vfs>]

    /// The holder of the directory's lock; a killed daemon holds none.
    private final class Lock: Sendable {}

    /// A lock around each of SQLite's allocations would make concurrent tests wait for each other.
    private static let countsNoMemory = csqlite_count_no_memory() == SQLITE_OK

    package init() {
        _ = Self.countsNoMemory
        let name = SQLiteFiles.nextName()
        names = [strdup(name), strdup("\(name)-lockless")]
        registered = [
            SQLiteFiles.register(names[0], isLockless: false), SQLiteFiles.register(names[1], isLockless: true),
        ]
        for vfs in registered { vfs.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque() }
    }

    deinit {
        for vfs in registered { SQLiteFiles.unregister(vfs) }
        for name in names { free(name) }
    }

    // MARK: For the journal

    package var vfs: String? { String(cString: names[0]) }
    package var locklessVFS: String { String(cString: names[1]) }

    package func lock(_ directory: String) throws(StateDirectory.Failure) -> any AnyObject & Sendable {
        if !isMounted { throw .unusable(path: directory, errno: ENOENT) }
        if holder != nil { throw .inUse(path: directory, by: nil) }
        let new = Lock()
        holder = new
        return new
    }

    package func target(of path: String) -> String { path }

    package func create(_ path: String) {}

    package func size(of path: String) throws(DatabaseError) -> Int? { isMounted ? files[path]?.bytes.count : nil }

    package func freeBytes(in directory: String) -> Int { capacity == .max ? 1 << 40 : max(0, capacity - used) }

    package func rename(_ path: String, to new: String) throws(DatabaseError) {
        if isReadOnly { throw .unmovable(errno: EROFS) }
        if renames == 0 { throw .unmovable(errno: EIO) }
        renames -= 1
        guard let file = files.removeValue(forKey: path) else { return }
        files[new] = file
    }

    // MARK: For tests

    /// The bytes in all files.
    package var used: Int { files.values.reduce(0) { $0 + $1.bytes.count } }

    /// Fills the rest of the disk.
    package func fill() { capacity = used }

    /// Kills the process that uses the disk: its open files have no more effect.
    package func kill() {
        process += 1
        holder = nil
    }

    /// Cuts the power: each file has its content of the last sync. Daemons that use the disk must have ended.
    package func cutPower() {
        for (path, file) in files {
            if file.isSynced { file.bytes = file.synced } else { files[path] = nil }
        }
    }

    /// Deletes a file. A process that has it open keeps it.
    package func delete(_ path: String) { files[path] = nil }

    /// The files' bytes by path.
    package var contents: [String: [UInt8]] {
        get { files.mapValues(\.bytes) }
        set { files = newValue.mapValues { File($0) } }
    }

    // MARK: For SQLite

    final class File {
        var bytes: [UInt8]
        var synced: [UInt8]
        var isSynced: Bool

        init(_ bytes: [UInt8], isSynced: Bool = true) {
            (self.bytes, synced) = (bytes, isSynced ? bytes : [])
            self.isSynced = isSynced
        }
    }

    func open(_ path: String, canCreate: Bool, wantsToWrite: Bool) -> Result<
        (file: File, isReadOnly: Bool), SQLiteFault
    > {
        if let code = fault(.open, path) { return .failure(SQLiteFault(code)) }
        guard isMounted else { return .failure(SQLiteFault(SQLITE_CANTOPEN)) }
        if let file = files[path] { return .success((file, isReadOnly || !wantsToWrite)) }
        guard canCreate, !isReadOnly else { return .failure(SQLiteFault(SQLITE_CANTOPEN)) }
        let file = File([], isSynced: false)
        files[path] = file
        return .success((file, false))
    }

    func write(_ new: UnsafeRawBufferPointer, to file: File, at offset: Int) -> Int32 {
        if isReadOnly { return SQLITE_IOERR | 3 << 8 }
        let growth = offset + new.count - file.bytes.count
        if growth > 0 {
            if capacity - used < growth { return SQLITE_FULL }
            file.bytes += [UInt8](repeating: 0, count: growth)
        }
        file.bytes.withUnsafeMutableBytes { _ = memcpy($0.baseAddress! + offset, new.baseAddress!, new.count) }
        return SQLITE_OK
    }

    func sync(_ file: File) {
        syncs += 1
        (file.synced, file.isSynced) = (file.bytes, true)
    }
}

struct SQLiteFault: Error {
    let code: Int32

    init(_ code: Int32) { self.code = code }
}
