// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The database in use: what could not be written is kept until it can, and a damaged file is replaced. One thread at a
/// time.
package struct JournalStore: ~Copyable {
    private let file: JournalFile?
    private var database: JournalDatabase?
    /// What the database ought to have and has not.
    private var unwritten: [DisplayID: DisplayRecord] = [:]
    package private(set) var health: JournalHealth
    private(set) var counts = JournalCounts()

    init(_ database: consuming JournalDatabase, in file: JournalFile? = nil) {
        self.database = consume database
        self.file = file
        health = .durable
    }

    init(_ opened: consuming JournalFile.Opened, in file: JournalFile) {
        health = opened.health
        database = .some(opened.database)
        self.file = file
    }

    /// One without a file, gone with this value. Without memory for that, it is as one that cannot be written.
    init(inMemory clock: BootClock) {
        database = try? JournalDatabase(Database(path: ":memory:"), clock)
        file = nil
        health = .durable
    }

    /// Whether something is to be tried again.
    var isBehind: Bool { !unwritten.isEmpty }

    mutating func write(_ new: [DisplayID: DisplayRecord], at now: Moment) {
        unwritten.merge(new) { _, newest in newest }
        if unwritten.isEmpty { return }
        do throws(DatabaseError) {
            if database == nil, let file { try open(file, at: now) }
            try database?.write(unwritten, at: now)
            counts.commits += 1
            wrote()
        } catch  where error.condemnsFile {
            counts.failures += 1
            replaceFile(since: error, at: now)
        } catch {
            counts.failures += 1
            health = .failing(error.description)
        }
    }

    /// Looks how large the file is by now.
    mutating func measure() { counts.size = file?.size ?? 0 }

    /// Lets the history work with the database. It is not what has to survive, so if that fails only a damaged file is a
    /// matter for the journal.
    ///
    /// - Returns: `nil` if it could not be done; with a damaged file, it can be now.
    mutating func use<Result>(
        at now: Moment,
        _ body: (inout JournalDatabase) throws(DatabaseError) -> Result
    ) -> Result? {
        guard database != nil else { return nil }
        do throws(DatabaseError) {
            return try body(&database!)
        } catch {
            if error.condemnsFile { replaceFile(since: error, at: now) }
            return nil
        }
    }

    /// Leaves one file, without a log beside it. Whoever writes once more opens it again.
    mutating func close() { database = nil }

    private mutating func wrote() {
        unwritten = [:]
        if case .failing = health { health = .durable }
    }

    private mutating func open(_ file: JournalFile, at now: Moment) throws(DatabaseError) {
        let opened = try file.open(at: now)
        database = .some(opened.database)
    }

    /// Everything the damaged file had is written into a new one.
    private mutating func replaceFile(since damage: DatabaseError, at now: Moment) {
        guard let file else { return health = .failing(damage.description) }
        unwritten = (database?.written ?? [:]).merging(unwritten) { _, newest in newest }
        database = nil
        do throws(DatabaseError) {
            let setAside = try file.setAside(at: now)
            try open(file, at: now)
            try database?.write(unwritten, at: now)
            unwritten = [:]
            health = .begunAnew(setAside: setAside, why: damage.description)
        } catch {
            health = .failing(error.description)
        }
    }
}
