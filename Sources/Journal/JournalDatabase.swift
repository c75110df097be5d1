// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The database in use: what could not be written is kept until it can, a file that cannot be written is still read, and a
/// damaged one is set aside and replaced. One thread at a time.
///
/// ```
///   open ──fails──► copy in memory ──tried again──► open, with what the copy had and what came since
/// ```
struct JournalDatabase: ~Copyable {
    /// How long the start waits for another program that holds the file. Later nobody waits.
    private static let timeout: Duration = .seconds(1)
    /// How far two attempts to open the file are apart at least.
    private static let attemptInterval: Duration = .milliseconds(500)

    /// `nil` for one in memory.
    private let file: JournalFile?
    /// Keeps the directory for this daemon.
    private var holding: (any AnyObject & Sendable)?
    /// The file's; `nil` while it cannot be opened.
    private var tables: JournalTables?
    /// What could be read of the file, while that is not open.
    private var copy: JournalTables?
    /// The records that the file has, or had when it was last read, while it is not open; `nil` if it never was.
    private var known: RecoveredRecords?
    private var lastAttempt: Instant?
    /// What the file ought to have and has not.
    private var unwritten: [DisplayID: DisplayRecord] = [:]
    /// What that has to survive.
    private var danger = Danger.crash
    private(set) var health = JournalHealth.durable
    private(set) var counts = JournalCounts()

    /// Opens a file or begins one; reads what there is of it if it cannot be written, and tries again later.
    ///
    /// - Throws: Only when another daemon holds the directory.
    init(in file: JournalFile, at now: Moment) throws(StateDirectory.Failure) {
        self.file = file
        do throws(StateDirectory.Failure) {
            holding = try file.disk.hold(file.directory)
        } catch {
            // Any other reason is found again, and told, by `open`.
            if case .inUse = error { throw error }
        }
        attempt(file, isStart: true, timeout: Self.timeout, at: now)
    }

    /// One without a file, gone with this value. Without memory for that, it is as one that cannot be written.
    init(inMemory clock: BootClock) {
        file = nil
        tables = try? JournalTables(SQLiteConnection(path: ":memory:"), clock)
        known = RecoveredRecords([:], ofOtherBoots: [])
    }

    /// The records it has, which at the start are those of an earlier run; `nil` if they could not be read.
    var records: RecoveredRecords? {
        switch tables {
        case .some(let tables): tables.records.known
        case .none: known
        }
    }

    /// Whether something is to be tried again.
    var isBehind: Bool { !unwritten.isEmpty || file != nil && !isOpen }

    private var isOpen: Bool {
        switch tables {
        case .some: true
        case .none: false
        }
    }

    /// Whether a display would not be put right after a crash if the file were lost.
    var isAtStake: Bool {
        switch tables {
        case .some(let tables): file != nil && tables.records.isAtStake
        case .none: false
        }
    }

    mutating func write(_ new: [DisplayID: DisplayRecord], safeFrom danger: Danger = .crash, at now: Moment) {
        self.danger = max(self.danger, danger)
        unwritten.merge(new) { _, newest in newest }
        checkPlace(at: now)
        if tables == nil, let file { return attempt(file, at: now) }
        if unwritten.isEmpty { return }
        do throws(DatabaseError) {
            try tables?.write(unwritten, safeFrom: self.danger, at: now)
            counts.commits += 1
            wrote()
            if case .failing = health { health = .durable }
        } catch {
            counts.failures += 1
            failed(error, at: now)
        }
    }

    /// Sees whether the file is still where it was, and begins another one with all it had if it is not: it was deleted, or
    /// the directory was.
    mutating func checkPlace(at now: Moment) {
        guard let file, let hasMoved = tables?.hasMoved, hasMoved || !file.hasLog else { return }
        shut()
        // The lock was in the directory, too.
        holding = nil
        lastAttempt = nil
        attempt(file, at: now)
        if case .durable = health { health = .recreated(setAside: nil, why: "somebody removed the file") }
    }

    /// Looks how large the file is by now.
    mutating func measure() { counts.size = file?.size ?? 0 }

    /// Lets the history write to the database. It is not what has to survive, so if that fails only a damaged file is a
    /// matter for the journal.
    ///
    /// - Returns: `nil` if it could not be done; with a damaged file, it can be now.
    mutating func use<Result>(
        at now: Moment,
        _ body: (inout JournalTables) throws(DatabaseError) -> Result
    ) -> Result? {
        guard tables != nil else { return nil }
        do throws(DatabaseError) {
            return try body(&tables!)
        } catch {
            if error.condemnsFile || isSpoilt(by: error) { failed(error, at: now) }
            return nil
        }
    }

    /// The same for reading, also of a file that cannot be written.
    mutating func read<Result>(
        at now: Moment,
        _ body: (inout JournalTables) throws(DatabaseError) -> Result
    ) -> Result? {
        guard tables == nil, copy != nil else { return use(at: now, body) }
        return try? body(&copy!)
    }

    /// Writes what is left, and leaves one file without a log. A later write opens it again.
    mutating func close(at now: Moment) {
        lastAttempt = nil
        write([:], at: now)
        shut()
        lastAttempt = nil
    }

    private mutating func shut() {
        guard tables != nil else { return }
        known = tables?.records.known
        tables = nil
    }

    // MARK: Opening

    /// Opens the file, and brings it to where this run is.
    ///
    /// - Parameter isStart: Whether this run goes on from what is read now.
    private mutating func attempt(
        _ file: JournalFile,
        isStart: Bool = false,
        timeout: Duration = .zero,
        at now: Moment
    ) {
        if let lastAttempt, now.instant - lastAttempt < Self.attemptInterval { return }
        lastAttempt = now.instant
        do throws(DatabaseError) {
            try open(file, timeout: timeout, at: now)
        } catch {
            counts.failures += 1
            health = .failing(error.description)
            readCopy(of: file, isStart: isStart, at: now)
        }
    }

    /// Opens the file, or one in place of a file that can never be used.
    private mutating func open(_ file: JournalFile, timeout: Duration = .zero, at now: Moment) throws(DatabaseError) {
        if holding == nil { holding = try file.hold() }
        do throws(DatabaseError) {
            let opened = try JournalTables.open(file, over: known, with: unwritten, timeout: timeout, at: now)
            takeOver(opened, .durable)
        } catch  where error.condemnsFileAtOpening {
            let setAside = try file.setAside(at: now)
            let opened = try JournalTables.open(file, over: known, with: unwritten, timeout: timeout, at: now)
            takeOver(opened, .recreated(setAside: setAside, why: error.description))
        }
    }

    /// Goes on with tables that have all of this run.
    private mutating func takeOver(_ opened: consuming JournalTables, _ health: JournalHealth) {
        if !unwritten.isEmpty { counts.commits += 1 }
        self.health = health
        tables = .some(opened)
        known = nil
        copy = nil
        wrote()
    }

    private mutating func readCopy(of file: JournalFile, isStart: Bool, at now: Moment) {
        guard copy == nil else { return }
        do throws(DatabaseError) {
            let read = try JournalTables.copy(of: file)
            let recovered = try read.recovered(at: now)
            if isStart { known = recovered }
            copy = .some(read)
        } catch {
            copy = try? JournalTables(SQLiteConnection(path: ":memory:"), file.clock, isCopy: true)
        }
    }

    private mutating func wrote() {
        unwritten = [:]
        danger = .crash
    }

    // MARK: Recovery

    private mutating func failed(_ error: DatabaseError, at now: Moment) {
        if error.condemnsFile { return replaceFile(since: error, at: now) }
        health = .failing(error.description)
        // A new connection knows nothing of the old one's transaction.
        if file != nil, isSpoilt(by: error) { shut() }
    }

    private func isSpoilt(by error: DatabaseError) -> Bool {
        switch tables {
        case .some(let tables): error.isAboutStatement || tables.isStuck
        case .none: false
        }
    }

    /// Everything the damaged file had is written into a new one.
    private mutating func replaceFile(since damage: DatabaseError, at now: Moment) {
        guard let file else { return health = .failing(damage.description) }
        shut()
        do throws(DatabaseError) {
            let setAside = try file.setAside(at: now)
            try open(file, at: now)
            health = .recreated(setAside: setAside, why: damage.description)
        } catch {
            health = .failing(error.description)
        }
    }
}
