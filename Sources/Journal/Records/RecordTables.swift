// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The records of the displays in a database. A copy in memory limits writes to the differences. One thread at a time.
final class RecordTables {
    private let database: SQLiteConnection
    private let putDisplay: Statement
    private let putLease: Statement
    private let removeLease: Statement
    private let automatic: AutomaticTables
    private let settings: SettingsTable
    private let provided: ProvidedTable
    private let clock: BootClock
    /// The last assigned number; leases are numbered in the order of their grants.
    private var lastNumber: Int64 = 0
    /// The records in the database.
    private(set) var written: [DisplayID: DisplayRecord] = [:]
    /// The displays whose records were written before the machine was started.
    private var ofOtherBoots: Set<DisplayID> = []

    /// The records in the database, as a new run continues from them.
    var known: RecoveredRecords { RecoveredRecords(written, ofOtherBoots: ofOtherBoots) }

    /// Whether a display could not be restored after a crash without these records.
    var isAtStake: Bool { written.values.contains(where: \.isAtStake) }

    init(_ database: SQLiteConnection, _ clock: BootClock) throws(DatabaseError) {
        self.database = database
        self.clock = clock
        putDisplay = try database.prepare(
            """
            INSERT INTO display
                (id, maximum, baseline, baseline_step, floor, ceiling, boot, power, may_be_dark, place, written_day,
                written)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            ON CONFLICT (id) DO UPDATE SET
                maximum = ?2, baseline = ?3, baseline_step = ?4, floor = ?5, ceiling = ?6, boot = ?7, power = ?8,
                may_be_dark = ?9, place = ?10, written_day = ?11, written = ?12
            """
        )
        putLease = try database.prepare(
            """
            INSERT INTO lease
                (id, number, display, holder, reason, brightness, lifespan, granted_at, ends_at, ends_after_boot, left,
                principal, kind, is_overridden)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
            ON CONFLICT (id) DO UPDATE SET
                reason = ?5, brightness = ?6, lifespan = ?7, ends_at = ?9, ends_after_boot = ?10, left = ?11,
                is_overridden = ?14
            """
        )
        removeLease = try database.prepare("DELETE FROM lease WHERE id = ?1")
        automatic = try AutomaticTables(database, clock)
        settings = try SettingsTable(database)
        provided = try ProvidedTable(database)
    }

    /// Starts or continues a run of the daemon, in one transaction. Afterwards `known` has the run's initial records
    /// and `new`.
    ///
    /// - Parameters:
    ///   - known: The records as this run knows them; `nil` to read them from the tables.
    ///   - new: Records of this run that replace them.
    func begin(
        over known: RecoveredRecords? = nil,
        with new: [DisplayID: DisplayRecord] = [:],
        at now: Moment
    ) throws(DatabaseError) {
        let found = try recovered(at: now)
        // All of it must survive a power cut: an earlier run's records, and those that this run could not write until
        // now.
        try database.transaction(safeFrom: .powerCut) { () throws(DatabaseError) in
            try goOn(from: known ?? found, over: found, at: now)
            for record in new.values { try write(record, at: now) }
        }
        wrote(new.values)
    }

    /// Returns the records of the earlier run.
    func recovered(at now: Moment) throws(DatabaseError) -> RecoveredRecords {
        try Schema.check(database)
        return try RecoveredRecords(database, clock, at: now)
    }

    /// Starts a run from an earlier run's records: rewrites their ends by this run's clock.
    ///
    /// - Parameter found: The records in the database: the earlier run's, unless the file was replaced.
    private func goOn(
        from earlier: RecoveredRecords,
        over found: RecoveredRecords,
        at now: Moment
    ) throws(DatabaseError) {
        try database.run("DELETE FROM lease; DELETE FROM boot")
        try database.prepare("INSERT INTO boot (id) VALUES (?1)").run(.text(clock.boot))
        for record in earlier.records.values {
            let old = found.records[record.id]
            if record.ofPanel != old?.ofPanel {
                try putPanel(of: record, boot: earlier.ofOtherBoots.contains(record.id) ? "" : clock.boot)
            }
            for lease in record.leases { try put(lease, at: now) }
            let lessons = AutomaticRecord(lessons: old?.automatic.lessons ?? [])
            try automatic.write(record.automatic, over: lessons, of: record.id, at: now)
            try settings.write(record.settings, over: old?.settings ?? .none, of: record.id)
            try provided.write(record.provided, over: old?.provided, of: record.id)
        }
        written = earlier.records
        ofOtherBoots = earlier.ofOtherBoots
    }

    /// Writes the differences of these records in one transaction.
    func write(
        _ records: [DisplayID: DisplayRecord],
        safeFrom danger: Danger = .crash,
        at now: Moment
    ) throws(DatabaseError) {
        try database.transaction(safeFrom: danger) { () throws(DatabaseError) in
            for record in records.values { try write(record, at: now) }
        }
        wrote(records.values)
    }

    /// Removes the record of a display.
    func forget(_ id: DisplayID) throws(DatabaseError) {
        guard written[id] != nil else { return }
        try database.transaction(safeFrom: .crash) { () throws(DatabaseError) in
            for table in ["lease", "automatic", "lesson", "settings", "provided"] {
                try database.prepare("DELETE FROM \(table) WHERE display = ?1").run(.text(id.text))
            }
            try database.prepare("DELETE FROM display WHERE id = ?1").run(.text(id.text))
        }
        written[id] = nil
        ofOtherBoots.remove(id)
    }

    private func wrote(_ records: some Sequence<DisplayRecord>) {
        for record in records {
            written[record.id] = record
            ofOtherBoots.remove(record.id)
        }
    }

    private func write(_ record: DisplayRecord, at now: Moment) throws(DatabaseError) {
        let old = written[record.id]
        if record.ofPanel != old?.ofPanel || ofOtherBoots.contains(record.id) {
            try putPanel(of: record, boot: clock.boot)
        }
        try write(record.leases, over: old?.leases ?? [], at: now)
        try automatic.write(record.automatic, over: old?.automatic ?? .none, of: record.id, at: now)
        try settings.write(record.settings, over: old?.settings ?? .none, of: record.id)
        try provided.write(record.provided, over: old?.provided, of: record.id)
    }

    private func putPanel(of record: DisplayRecord, boot: String) throws(DatabaseError) {
        try putDisplay.run(
            .text(record.id.text),
            .integer(record.maximum),
            .real(record.baseline.fraction),
            .integer(record.baselineStep),
            .integer(record.floor),
            .integer(record.ceiling),
            .text(boot),
            .flag(record.powerBaseline),
            .flag(record.mayBeDark),
            .text(record.device.place),
            .integer(record.device.writes?.day),
            .integer(record.device.writes?.count)
        )
    }

    /// Both lists have the order of the grants: missing leases have ended, and leases at the end are new.
    private func write(_ leases: [Lease], over old: [Lease], at now: Moment) throws(DatabaseError) {
        var (new, changed) = (leases[...], [Lease]())
        for earlier in old {
            if let lease = new.first, lease.id == earlier.id {
                if lease != earlier { changed.append(lease) }
                new.removeFirst()
            } else {
                try removeLease.run(.text(earlier.id.text))
            }
        }
        for lease in changed + new { try put(lease, at: now) }
    }

    private func put(_ lease: Lease, at now: Moment) throws(DatabaseError) {
        lastNumber += 1
        let end = lease.end.map { clock.written($0, at: now) }
        try putLease.run(
            .text(lease.id.text),
            .integer(lastNumber),
            .text(lease.display.text),
            .text(lease.holder),
            .text(lease.reason),
            .real(lease.brightness?.fraction ?? 0),
            .text(lease.lifespan.rawValue),
            .integer(lease.grantedAt.milliseconds),
            .integer(end?.at),
            .integer(end?.afterBoot),
            .integer(end?.left),
            .text(lease.principal.text),
            .text(lease.kind.rawValue),
            .flag(lease.isOverridden)
        )
    }
}

extension DisplayRecord {
    /// The record without the parts that have their own tables.
    fileprivate var ofPanel: DisplayRecord {
        var record = self
        record.leases = []
        record.automatic = .none
        record.settings = .none
        record.provided = nil
        return record
    }
}
