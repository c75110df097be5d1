// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Glibc
import Synchronization

/// A `ScriptedDisk` as a VFS of SQLite, which is a table of C functions. Each function is one call of the disk.
/// - SeeAlso: https://www.sqlite.org/vfs.html
enum SQLiteFiles {
    private static let registrations = Atomic(0)

    static func nextName() -> String { "scripted-\(registrations.add(1, ordering: .relaxed).newValue)" }

    /// An open file. SQLite allocates the memory for `OpenFile`, which refers to this.
    private final class Handle {
        let disk: ScriptedDisk
        let path: String
        let file: ScriptedDisk.File
        let isReadOnly: Bool
        let isLockless: Bool
        let isDeletedOnClose: Bool
        private let process: Int

        init(
            _ disk: ScriptedDisk,
            _ path: String,
            _ file: ScriptedDisk.File,
            isReadOnly: Bool,
            isLockless: Bool,
            isDeletedOnClose: Bool
        ) {
            (self.disk, self.path, self.file, self.isReadOnly) = (disk, path, file, isReadOnly)
            (self.isLockless, self.isDeletedOnClose) = (isLockless, isDeletedOnClose)
            process = disk.process
        }

        static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Handle {
            opened(file).pointee.handle!.takeUnretainedValue()
        }

        /// Performs an operation, unless the test's fault or the end of the process prevents it.
        func attempt(_ operation: ScriptedDisk.Operation, _ body: () -> Int32) -> Int32 {
            if process != disk.process { return SQLITE_IOERR }
            return disk.fault(operation, path) ?? body()
        }
    }

    private struct OpenFile {
        var base: sqlite3_file
        var handle: Unmanaged<Handle>?
    }

    private static func opened(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<OpenFile> {
        UnsafeMutableRawPointer(file!).assumingMemoryBound(to: OpenFile.self)
    }

    private static func disk(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> ScriptedDisk {
        Unmanaged<ScriptedDisk>.fromOpaque(vfs!.pointee.pAppData).takeUnretainedValue()
    }

    static func register(_ name: UnsafeMutablePointer<CChar>, isLockless: Bool) -> UnsafeMutablePointer<sqlite3_vfs> {
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: sqlite3_vfs())
        vfs.pointee.iVersion = 1
        vfs.pointee.szOsFile = Int32(MemoryLayout<OpenFile>.size)
        vfs.pointee.mxPathname = 512
        vfs.pointee.zName = UnsafePointer(name)
        if isLockless {
            vfs.pointee.xOpen = { SQLiteFiles.open($0, $1, $2, $3, $4, isLockless: true) }
        } else {
            vfs.pointee.xOpen = { SQLiteFiles.open($0, $1, $2, $3, $4, isLockless: false) }
        }
        vfs.pointee.xDelete = { vfs, path, _ in
            let (disk, path) = (SQLiteFiles.disk(vfs), String(cString: path!))
            if let code = disk.fault(.delete, path) { return code }
            if disk.isReadOnly { return SQLITE_IOERR | 10 << 8 }
            disk.files[path] = nil
            return SQLITE_OK
        }
        vfs.pointee.xAccess = { vfs, path, _, result in
            let disk = SQLiteFiles.disk(vfs)
            result!.pointee = disk.isMounted && disk.files[String(cString: path!)] != nil ? 1 : 0
            return SQLITE_OK
        }
        vfs.pointee.xFullPathname = { _, path, count, result in
            guard strlen(path!) < Int(count) else { return SQLITE_CANTOPEN }
            strcpy(result!, path!)
            return SQLITE_OK
        }
        vfs.pointee.xRandomness = { _, count, bytes in
            for index in 0..<Int(count) { bytes![index] = CChar(truncatingIfNeeded: index) }
            return count
        }
        // Tests do not wait.
        vfs.pointee.xSleep = { _, microseconds in microseconds }
        vfs.pointee.xCurrentTime = { _, days in
            days!.pointee = 2_460_000
            return SQLITE_OK
        }
        sqlite3_vfs_register(vfs, 0)
        return vfs
    }

    static func unregister(_ vfs: UnsafeMutablePointer<sqlite3_vfs>) {
        sqlite3_vfs_unregister(vfs)
        vfs.deinitialize(count: 1)
        vfs.deallocate()
    }

    private static func open(
        _ vfs: UnsafeMutablePointer<sqlite3_vfs>?,
        _ path: UnsafePointer<CChar>?,
        _ file: UnsafeMutablePointer<sqlite3_file>?,
        _ flags: Int32,
        _ result: UnsafeMutablePointer<Int32>?,
        isLockless: Bool
    ) -> Int32 {
        opened(file).initialize(to: OpenFile(base: sqlite3_file(pMethods: nil), handle: nil))
        let disk = disk(vfs)
        let name = path.map { String(cString: $0) } ?? "temporary"
        let canCreate = flags & SQLITE_OPEN_CREATE != 0
        switch disk.open(name, canCreate: canCreate, wantsToWrite: flags & SQLITE_OPEN_READWRITE != 0) {
        case .failure(let fault):
            return fault.code
        case .success(let (opening, isReadOnly)):
            let handle = Handle(
                disk,
                name,
                opening,
                isReadOnly: isReadOnly,
                isLockless: isLockless,
                isDeletedOnClose: flags & SQLITE_OPEN_DELETEONCLOSE != 0
            )
            let methods = UnsafePointer(methods)
            opened(file).pointee = OpenFile(base: sqlite3_file(pMethods: methods), handle: .passRetained(handle))
            let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
            result?.pointee = flags & ~(SQLITE_OPEN_READONLY | SQLITE_OPEN_READWRITE) | access
            return SQLITE_OK
        }
    }

    /// The functions of an open file; never freed.
    private nonisolated(unsafe) static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: sqlite3_io_methods())
        methods.pointee.iVersion = 1
        methods.pointee.xClose = { file in
            let handle = Handle.of(file)
            if handle.isDeletedOnClose { handle.disk.files[handle.path] = nil }
            SQLiteFiles.opened(file).pointee.handle?.release()
            SQLiteFiles.opened(file).pointee.handle = nil
            return SQLITE_OK
        }
        methods.pointee.xRead = { file, buffer, count, offset in
            let handle = Handle.of(file)
            return handle.attempt(.read) {
                let (count, offset) = (Int(count), Int(offset))
                let available = max(0, min(count, handle.file.bytes.count - offset))
                handle.file.bytes.withUnsafeBytes { bytes in
                    if available > 0 { memcpy(buffer!, bytes.baseAddress! + offset, available) }
                }
                guard available < count else { return SQLITE_OK }
                memset(buffer! + available, 0, count - available)
                // A short read.
                return SQLITE_IOERR | 2 << 8
            }
        }
        methods.pointee.xWrite = { file, bytes, count, offset in
            let handle = Handle.of(file)
            return handle.attempt(.write) {
                if handle.isReadOnly { return SQLITE_IOERR | 3 << 8 }
                let new = UnsafeRawBufferPointer(start: bytes, count: Int(count))
                return handle.disk.write(new, to: handle.file, at: Int(offset))
            }
        }
        methods.pointee.xTruncate = { file, size in
            let handle = Handle.of(file)
            return handle.attempt(.truncate) {
                if handle.isReadOnly || handle.disk.isReadOnly { return SQLITE_IOERR | 6 << 8 }
                handle.file.bytes.removeLast(max(0, handle.file.bytes.count - Int(size)))
                return SQLITE_OK
            }
        }
        methods.pointee.xSync = { file, _ in
            let handle = Handle.of(file)
            return handle.attempt(.sync) {
                handle.disk.sync(handle.file)
                return SQLITE_OK
            }
        }
        methods.pointee.xFileSize = { file, size in
            size!.pointee = sqlite3_int64(Handle.of(file).file.bytes.count)
            return SQLITE_OK
        }
        methods.pointee.xLock = { file, level in
            let handle = Handle.of(file)
            if handle.isLockless { return SQLITE_OK }
            return handle.attempt(.lock) {
                switch handle.disk.otherProgram {
                case .none: SQLITE_OK
                case .reads: level > SQLITE_LOCK_RESERVED ? SQLITE_BUSY : SQLITE_OK
                case .writes: SQLITE_BUSY
                }
            }
        }
        methods.pointee.xUnlock = { _, _ in SQLITE_OK }
        methods.pointee.xCheckReservedLock = { file, result in
            result!.pointee = Handle.of(file).disk.otherProgram == .writes ? 1 : 0
            return SQLITE_OK
        }
        methods.pointee.xFileControl = { file, operation, argument in
            guard operation == SQLITE_FCNTL_HAS_MOVED else { return SQLITE_NOTFOUND }
            let handle = Handle.of(file)
            let isThere = handle.disk.isMounted && handle.disk.files[handle.path] === handle.file
            argument!.assumingMemoryBound(to: Int32.self).pointee = isThere ? 0 : 1
            return SQLITE_OK
        }
        methods.pointee.xSectorSize = { _ in 4_096 }
        methods.pointee.xDeviceCharacteristics = { _ in 0 }
        return methods
    }()
}
