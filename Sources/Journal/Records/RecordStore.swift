// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The records of the displays in a database, and a copy of them in memory, so that only differences are written.
struct RecordStore: ~Copyable {
    private let putDisplay: Statement
    private let putLease: Statement
    private let removeLease: Statement
    private let clock: BootClock
    /// What the database has.
    private(set) var written: [DisplayID: DisplayRecord] = [:]

    init(_ database: Database, _ clock: BootClock) throws(DatabaseError) {
        let putDisplay = try database.prepare(
            """
            INSERT INTO display (id, maximum, baseline, baseline_step, ceiling, is_overridden)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (id) DO UPDATE SET maximum = ?2, baseline = ?3, baseline_step = ?4, ceiling = ?5, is_overridden = ?6
            """
        )
        let putLease = try database.prepare(
            """
            INSERT INTO lease
                (id, display, holder, reason, brightness, lifespan, granted_at, ends_at, ends_after_boot, left)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            ON CONFLICT (id) DO UPDATE SET reason = ?4, brightness = ?5, lifespan = ?6, ends_at = ?8, ends_after_boot = ?9, left = ?10
            """
        )
        let removeLease = try database.prepare("DELETE FROM lease WHERE id = ?1")
        // A value that cannot be copied is made at once or not at all.
        self.putDisplay = putDisplay
        self.putLease = putLease
        self.removeLease = removeLease
        self.clock = clock
    }

    /// Begins a run with what an earlier one left: its ends are written anew, as this run counts them. The caller has a
    /// transaction open.
    mutating func begin(_ database: Database, with earlier: EarlierRecords, at now: Moment) throws(DatabaseError) {
        try database.run("DELETE FROM lease; DELETE FROM boot")
        try database.prepare("INSERT INTO boot (id) VALUES (?1)").run(.text(clock.boot))
        for record in earlier.records.values {
            for lease in record.leases { try put(lease, at: now) }
        }
        written = earlier.records
    }

    /// Writes what is different in these records. The caller has a transaction open, and says `wrote` after its end.
    func write(_ records: some Sequence<DisplayRecord>, at now: Moment) throws(DatabaseError) {
        for record in records { try write(record, over: written[record.id], at: now) }
    }

    mutating func wrote(_ records: some Sequence<DisplayRecord>) {
        for record in records { written[record.id] = record }
    }

    private func write(_ record: DisplayRecord, over old: DisplayRecord?, at now: Moment) throws(DatabaseError) {
        if record.withoutLeases != old?.withoutLeases {
            try putDisplay.run(
                .text(record.id.text),
                .integer(record.maximum),
                .real(record.baseline.fraction),
                .integer(record.baselineStep),
                .integer(record.ceiling),
                .integer(record.isOverridden ? 1 : 0)
            )
        }
        guard record.leases != old?.leases ?? [] else { return }
        var gone: [LeaseID: Lease] = [:]
        for lease in old?.leases ?? [] { gone[lease.id] = lease }
        // First those that are over: a holder's next lease may come in the same breath.
        let kept = record.leases.filter { gone.removeValue(forKey: $0.id) != $0 }
        for id in gone.keys { try removeLease.run(.text(id.text)) }
        for lease in kept { try put(lease, at: now) }
    }

    private func put(_ lease: Lease, at now: Moment) throws(DatabaseError) {
        let end = lease.end.map { clock.written($0, at: now) }
        try putLease.run(
            .text(lease.id.text),
            .text(lease.display.text),
            .text(lease.holder),
            .text(lease.reason),
            .real(lease.brightness.fraction),
            .text(lease.lifespan.rawValue),
            .integer(lease.grantedAt.milliseconds),
            .integer(end?.at),
            .integer(end?.afterBoot),
            .integer(end?.left)
        )
    }
}

extension DisplayRecord {
    fileprivate var withoutLeases: DisplayRecord {
        var record = self
        record.leases = []
        return record
    }
}
