// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The table of the schedules. One thread at a time.
struct ScheduleTable {
    private let database: SQLiteConnection
    private let put: Statement
    private let remove: Statement

    init(_ database: SQLiteConnection) throws(DatabaseError) {
        self.database = database
        put = try database.prepare(
            """
            INSERT OR REPLACE INTO schedule
                (name, displays, days, begins, ends, effect, brightness, transition, set_at, set_on, paused)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """
        )
        remove = try database.prepare("DELETE FROM schedule WHERE name = ?1")
    }

    /// Writes schedules in one transaction that survives a power cut. A record of `nil` removes one.
    func write(_ changes: [ResourceName: ScheduleRecord?]) throws(DatabaseError) {
        try database.transaction(safeFrom: .powerCut) { () throws(DatabaseError) in
            for (name, record) in changes { try write(name, record) }
        }
    }

    private func write(_ name: ResourceName, _ record: ScheduleRecord?) throws(DatabaseError) {
        guard let record else { return try remove.run(.text(name.text)) }
        let schedule = record.schedule
        try put.run(
            .text(name.text),
            .text(schedule.displays.text),
            .text(Weekday.allCases.filter(schedule.days.contains).map(\.rawValue).joined(separator: " ")),
            .text(schedule.from.text),
            .text(schedule.to.text),
            .text(schedule.effect.text),
            .real(schedule.effect.brightness?.fraction),
            .real(schedule.transition.map { $0 / .seconds(1) }),
            .integer(record.setAt?.milliseconds),
            .text(record.setOn.map(\.text).sorted().joined(separator: " ")),
            .integer(schedule.isPaused ? 1 : 0)
        )
    }

    /// Reads the schedules. Skips invalid rows, which another program may have written.
    func read() throws(DatabaseError) -> [ScheduleRecord] {
        var records: [ScheduleRecord] = []
        try database.prepare(
            """
            SELECT name, displays, days, begins, ends, effect, brightness, transition, set_at, set_on, paused
            FROM schedule
            """
        ).run { row in
            guard let name = row.text(0).flatMap({ ResourceName($0) }),
                let displays = row.text(1).flatMap({ Schedule.Displays($0) }),
                let days = row.text(2)?.split(separator: " ").map({ Weekday(rawValue: String($0)) }),
                let from = row.text(3).flatMap({ ScheduleTime($0) }),
                let to = row.text(4).flatMap({ ScheduleTime($0) }), from != to,
                let effect = Schedule.Effect(row.text(5), row.brightness(6))
            else { return }
            let transition = row.real(7).flatMap { (0...3_600).contains($0) ? Duration.seconds($0) : nil }
            let schedule = Schedule(
                name,
                displays: displays,
                days: Set(days.compactMap(\.self)),
                from: from,
                to: to,
                effect,
                transition: transition,
                isPaused: row.integer(10) == 1
            )
            let setOn = (row.text(9) ?? "").split(separator: " ").compactMap { DisplayID(String($0)) }
            records.append(ScheduleRecord(schedule, setAt: row.timestamp(8), setOn: Set(setOn)))
        }
        return records
    }
}

extension Schedule.Displays {
    fileprivate var text: String {
        switch self {
        case .all: "all"
        case .named(let ids): ids.map(\.text).joined(separator: " ")
        }
    }

    fileprivate init?(_ text: String) {
        if text == "all" {
            self = .all
            return
        }
        let ids = text.split(separator: " ").map { DisplayID(String($0)) }
        guard !ids.isEmpty, ids.allSatisfy({ $0 != nil }) else { return nil }
        self = .named(ids.compactMap(\.self))
    }
}

extension Schedule.Effect {
    fileprivate var text: String {
        switch self {
        case .lease(let kind, _): kind.rawValue
        case .baseline: "baseline"
        }
    }

    fileprivate var brightness: Brightness? {
        switch self {
        case .lease(_, let brightness): brightness
        case .baseline(let brightness): brightness
        }
    }

    fileprivate init?(_ text: String?, _ brightness: Brightness?) {
        if text == "baseline", let brightness {
            self = .baseline(brightness)
        } else if let kind = text.flatMap({ LeaseKind(rawValue: $0) }),
            (kind.defaultBrightness == nil) == (brightness == nil)
        {
            self = .lease(kind, brightness)
        } else {
            return nil
        }
    }
}
