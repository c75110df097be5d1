// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The records of an earlier run of the daemon in a database.
struct RecoveredRecords {
    private(set) var records: [DisplayID: DisplayRecord] = [:]
    /// The displays whose records were written before the machine was started.
    private(set) var ofOtherBoots: Set<DisplayID> = []

    init(_ records: [DisplayID: DisplayRecord], ofOtherBoots: Set<DisplayID>) {
        self.records = records
        self.ofOtherBoots = ofOtherBoots
    }

    /// All records in the form from which displays continue.
    var all: [DisplayID: RecoveredRecord] {
        records.mapValues { RecoveredRecord($0, isOfThisBoot: !ofOtherBoots.contains($0.id)) }
    }

    mutating func forget(_ id: DisplayID) {
        records[id] = nil
        ofOtherBoots.remove(id)
    }

    /// Reads the records. Skips invalid rows, which another program may have written.
    init(_ database: SQLiteConnection, _ clock: BootClock, at now: Moment) throws(DatabaseError) {
        var isOfThisBoot = false
        try database.prepare("SELECT id FROM boot").run {
            isOfThisBoot = $0.text(0) == clock.boot && !clock.boot.isEmpty
        }

        var ofOtherBoots: Set<DisplayID> = []
        var records: [DisplayID: DisplayRecord] = [:]
        try database.prepare(
            """
            SELECT id, maximum, baseline, baseline_step, floor, ceiling, boot, power, may_be_dark, place, written_day,
                written
            FROM display
            """
        ).run { row in
            guard let id = row.text(0).flatMap({ DisplayID($0) }), let maximum = row.integer(1),
                let baseline = row.brightness(2), let step = row.integer(3),
                BrightnessRange(maximum: Int(maximum)) != nil, (0...maximum).contains(step)
            else { return }
            var device = DeviceRecord(place: row.text(9))
            if let day = row.integer(10), let count = row.integer(11), count >= 0 {
                device.writes = DailyWrites(day: day, count: Int(count))
            }
            records[id] = DisplayRecord(
                id: id,
                maximum: Int(maximum),
                baseline: baseline,
                baselineStep: Int(step),
                floor: row.integer(4).map { Int(min(max($0, 0), maximum)) },
                ceiling: row.integer(5).map { Int(min(max($0, 0), maximum)) },
                powerBaseline: row.integer(7) != 0,
                mayBeDark: row.integer(8) == 1,
                device: device
            )
            if row.text(6) != clock.boot || clock.boot.isEmpty { ofOtherBoots.insert(id) }
        }
        try database.prepare(
            """
            SELECT id, display, holder, reason, brightness, lifespan, granted_at, ends_at, ends_after_boot, left,
                principal, kind, is_overridden
            FROM lease ORDER BY number
            """
        ).run { row in
            guard let id = row.text(0), let display = row.text(1).flatMap({ DisplayID($0) }),
                let brightness = row.brightness(4),
                let kind = row.text(11).flatMap({ LeaseKind(rawValue: $0) }),
                let lifespan = row.text(5).flatMap({ LeaseLifespan(rawValue: $0) }), let grantedAt = row.timestamp(6)
            else { return }
            var end: Moment?
            if let at = row.integer(7), let afterBoot = row.integer(8), let left = row.integer(9) {
                let written = PersistedDeadline(at: at, afterBoot: afterBoot, left: left)
                end = clock.read(written, isOfThisBoot: isOfThisBoot, longest: kind.longestTTL, at: now)
            }
            guard end != nil || lifespan != .custom else { return }
            records[display]?.leases.append(
                Lease(
                    id: LeaseID(id),
                    kind: kind,
                    display: display,
                    holder: row.text(2),
                    principal: row.text(10).map { Principal($0) } ?? .anonymous,
                    grantedAt: grantedAt,
                    brightness: kind.defaultBrightness.map { _ in brightness },
                    reason: row.text(3),
                    lifespan: lifespan,
                    end: end,
                    isOverridden: row.integer(12) == 1
                )
            )
        }
        for (id, automatic) in try AutomaticTables.read(database, clock, isOfThisBoot: isOfThisBoot, at: now) {
            records[id]?.automatic = automatic
        }
        for (id, settings) in try SettingsTable.read(database) { records[id]?.settings = settings }
        for (id, provided) in try ProvidedTable.read(database) { records[id]?.provided = provided }
        self.records = records
        self.ofOtherBoots = ofOtherBoots
    }
}
