// SPDX-License-Identifier: Apache-2.0

/// The document of `GET /v1/schedules`.
extension ScheduleReport: Document {
    package func write(to json: inout JSONWriter) {
        writeDay(to: &json)
        json.member("schedules", schedules)
    }

    package var dayJSON: [UInt8] { JSONWriter.object { writeDay(to: &$0) } }

    private func writeDay(to json: inout JSONWriter) {
        json.member("clockSet", isClockSet)
        json.member("utcOffset", day.utcOffset)
        json.member("sun", day.sun)
    }

    /// Schedules that this version does not understand are left out.
    package init?(reading json: JSONNode) {
        guard let isClockSet = json["clockSet"]?.bool, let utcOffset = json["utcOffset"]?.integer,
            (-64_800...64_800).contains(utcOffset), let schedules = json["schedules"]?.elements
        else { return nil }
        self.init(
            schedules: schedules.compactMap { ScheduleState(reading: $0) },
            isClockSet: isClockSet,
            day: LocalDay(utcOffset: Int64(utcOffset), sun: json["sun"].flatMap { LocalDay.Sun(reading: $0) })
        )
    }
}

extension LocalDay.Sun: Document {
    package func write(to json: inout JSONWriter) {
        json.member("sunrise", sunrise)
        json.member("sunset", sunset)
    }

    init?(reading json: JSONNode) {
        guard let sunrise = json["sunrise"], let sunset = json["sunset"] else { return nil }
        self.init(sunrise: sunrise.time, sunset: sunset.time)
    }
}

/// The document of `GET /v1/schedules/{name}` and of `schedule` events.
extension ScheduleState: Document {
    package func write(to json: inout JSONWriter) { write(to: &json, warning: nil) }

    /// The document in the response to the request that put the schedule.
    ///
    /// - Parameter warning: A fact that may surprise the client.
    package func json(warning: String?) -> [UInt8] { JSONWriter.object { write(to: &$0, warning: warning) } }

    private func write(to json: inout JSONWriter, warning: String?) {
        schedule.write(to: &json)
        json.member("active", isActive)
        if let warning { json.member("warning", warning) }
        json.member("next", next)
    }

    package init?(reading json: JSONNode) {
        guard let schedule = Schedule(reading: json), let isActive = json["active"]?.bool else { return nil }
        self.init(schedule: schedule, isActive: isActive, next: json["next"].flatMap { Change(reading: $0) })
    }
}

/// The members of a schedule that people choose.
extension Schedule: Document {
    package func write(to json: inout JSONWriter) {
        json.member("name", name.text)
        switch displays {
        case .all: json.member("displays", each: [Self.every]) { $0.string($1) }
        case .named(let ids): json.member("displays", each: ids) { $0.string($1.text) }
        }
        json.member("days", each: Weekday.allCases.filter(days.contains)) { $0.string($1.rawValue) }
        json.member("from", from.text)
        json.member("to", to.text)
        switch effect {
        case .baseline(let brightness): json.member("brightness", decimal: brightness.fraction)
        case .lease(let kind, let brightness):
            json.name(any: kind.rawValue)
            if let brightness { json.number(brightness.fraction) } else { json.bool(true) }
        }
        json.member("transition", decimal: transition.map { $0 / .seconds(1) })
        json.member("paused", isPaused)
    }

    /// An invalid transition and unknown days count as missing.
    init?(reading json: JSONNode) {
        guard let name = json["name"]?.string.flatMap({ ResourceName($0) }),
            let names = json["displays"]?.elements.map({ Array($0.map(\.string)) }), !names.isEmpty,
            let days = json["days"]?.elements.map({ Set($0.compactMap { $0.word() as Weekday? }) }),
            let from = json["from"]?.string.flatMap({ ScheduleTime($0) }),
            let to = json["to"]?.string.flatMap({ ScheduleTime($0) }), from != to,
            let effect = Self.effect(in: json), let isPaused = json["paused"]?.bool
        else { return nil }
        let ids = names.compactMap { $0.flatMap { DisplayID($0) } }
        guard names == [Self.every] || ids.count == names.count else { return nil }
        let transition = json["transition"]?.number.flatMap { (0...Self.longestTransition).contains($0) ? $0 : nil }
        self.init(
            name: name,
            displays: names == [Self.every] ? .all : .named(ids),
            days: days,
            from: from,
            to: to,
            effect: effect,
            transition: transition.map { .seconds($0) },
            isPaused: isPaused
        )
    }

    private static func effect(in json: JSONNode) -> Schedule.Effect? {
        if let brightness = json["brightness"]?.brightness { return .baseline(brightness) }
        for kind in LeaseKind.allCases {
            guard let value = json[any: kind.rawValue] else { continue }
            if kind.defaultBrightness == nil { return value.bool == true ? .lease(kind, nil) : nil }
            return value.brightness.map { .lease(kind, $0) }
        }
        return nil
    }

    /// The word for every display of the daemon's machine.
    private static let every = "all"
}

/// A schedule, and where it has set the baseline.
extension ScheduleRecord: KeptRecord {
    package static let kind = "schedule"
    package var key: String { schedule.name.text }

    package func write(to json: inout JSONWriter) {
        schedule.write(to: &json)
        json.member("setAt", setAt?.rfc3339)
        json.member("setOn", each: setOn.map(\.text).sorted()) { $0.string($1) }
    }

    package init?(reading json: JSONNode) {
        guard let schedule = Schedule(reading: json) else { return nil }
        let setOn = json["setOn"]?.elements.map { Array($0.compactMap(\.display)) } ?? []
        self.init(schedule: schedule, setAt: json["setAt"]?.time, setOn: Set(setOn))
    }
}

extension ScheduleState.Change: Document {
    package func write(to json: inout JSONWriter) {
        json.member("at", at)
        json.member("change", isBegin ? "begin" : "end")
    }

    init?(reading json: JSONNode) {
        guard let at = json["at"]?.time, let change = json["change"]?.string else { return nil }
        self.init(at: at, isBegin: change == "begin")
    }
}
