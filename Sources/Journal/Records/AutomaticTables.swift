// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The records' tables for automatic brightness.
struct AutomaticTables {
    /// The maximum number of lessons to read of each display, the newest. A display learns about twenty; each one costs
    /// a pass over the curve at the start.
    static let lessonLimit = 64

    private let put: Statement
    private let putLesson: Statement
    private let removeLessons: Statement
    private let clock: BootClock

    init(_ database: SQLiteConnection, _ clock: BootClock) throws(DatabaseError) {
        put = try database.prepare(
            """
            INSERT INTO automatic (display, is_enabled, held_until_at, held_until_after_boot, left)
            VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (display) DO UPDATE SET
                is_enabled = ?2, held_until_at = ?3, held_until_after_boot = ?4, left = ?5
            """
        )
        putLesson = try database.prepare(
            "INSERT INTO lesson (display, number, lux, brightness) VALUES (?1, ?2, ?3, ?4)"
        )
        removeLessons = try database.prepare("DELETE FROM lesson WHERE display = ?1")
        self.clock = clock
    }

    /// Writes the differences. The caller has opened a transaction.
    func write(
        _ record: AutomaticRecord,
        over old: AutomaticRecord,
        of id: DisplayID,
        at now: Moment
    ) throws(DatabaseError) {
        guard record != old else { return }
        let held = record.heldUntil.map { clock.written($0, at: now) }
        try put.run(
            .text(id.text),
            .flag(record.isEnabled),
            .integer(held?.at),
            .integer(held?.afterBoot),
            .integer(held?.left)
        )
        guard record.lessons != old.lessons else { return }
        try removeLessons.run(.text(id.text))
        for (number, lesson) in record.lessons.enumerated() {
            try putLesson.run(
                .text(id.text),
                .integer(number),
                .real(lesson.illuminance.lux),
                .real(lesson.brightness.fraction)
            )
        }
    }

    /// Reads the records of an earlier run. Skips invalid rows, which another program may have written.
    static func read(
        _ database: SQLiteConnection,
        _ clock: BootClock,
        isOfThisBoot: Bool,
        at now: Moment
    ) throws(DatabaseError) -> [DisplayID: AutomaticRecord] {
        var records: [DisplayID: AutomaticRecord] = [:]
        try database.prepare(
            "SELECT display, is_enabled, held_until_at, held_until_after_boot, left FROM automatic"
        ).run { row in
            guard let id = row.text(0).flatMap({ DisplayID($0) }) else { return }
            var record = AutomaticRecord(isEnabled: row.integer(1).map { $0 == 1 })
            if let at = row.integer(2), let afterBoot = row.integer(3), let left = row.integer(4) {
                record.heldUntil = clock.read(
                    PersistedDeadline(at: at, afterBoot: afterBoot, left: left),
                    isOfThisBoot: isOfThisBoot,
                    longest: AutomaticRules.longestHold,
                    at: now
                )
            }
            records[id] = record
        }
        var lessons: [DisplayID: [BrightnessCurve.Point]] = [:]
        // A function, because the compiler of Swift 6.0 crashes on its condition in the closure of a row.
        func add(_ lesson: BrightnessCurve.Point, to id: DisplayID) {
            if lessons[id]?.count ?? 0 < lessonLimit { lessons[id, default: []].append(lesson) }
        }
        try database.prepare("SELECT display, lux, brightness FROM lesson ORDER BY display, number DESC").run { row in
            guard let id = row.text(0).flatMap({ DisplayID($0) }),
                let light = row.real(1).flatMap({ Illuminance(lux: $0) }),
                let brightness = row.brightness(2)
            else { return }
            add(BrightnessCurve.Point(light, brightness), to: id)
        }
        for (id, newestFirst) in lessons { records[id]?.lessons = newestFirst.reversed() }
        return records
    }
}
