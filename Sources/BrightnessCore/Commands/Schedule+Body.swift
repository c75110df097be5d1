// SPDX-License-Identifier: Apache-2.0

extension Schedule {
    /// The maximum number of displays that a schedule names.
    private static let mostDisplays = 64

    /// `PUT /v1/schedules/{name}`. Shapes and limits are those of `openapi.yaml`.
    package init(_ name: ResourceName, from body: consuming RequestBody) throws(Problem) {
        body.explain(["active", "next"], "It is computed; leave it out.")
        try body.checkName(name)
        let displays = try body.scheduleDisplays()
        let days = try body.scheduleDays()
        let from = try body.scheduleTime("from")
        let to = try body.scheduleTime("to")
        if let from, from == to {
            try body.reject("to", "to must differ from from: an interval has a length.")
        }
        let effect = try body.scheduleEffect()
        if body.peek("transition") == .null { _ = body.value("transition") }
        let transition = try body.number("transition", in: 0...Self.longestTransition).map { Duration.seconds($0) }
        let isPaused = try body.bool("paused")
        let schedule: Schedule? =
            if let from, let to, let effect {
                Schedule(
                    name: name,
                    displays: displays.map { .named($0) } ?? .all,
                    days: days ?? Set(Weekday.allCases),
                    from: from,
                    to: to,
                    effect: effect,
                    transition: transition,
                    isPaused: isPaused ?? false
                )
            } else {
                nil
            }
        let missing = from == nil ? "from" : to == nil ? "to" : ""
        let detail =
            missing.isEmpty
            ? "One of dim, boost, brightness or sleep is required, such as \"dim\":0.2."
            : "\(missing) is required, such as \"22:00\" or \"sunset-00:30\"."
        self = try body.end(requiring: schedule, missing, detail)
    }

    /// `PATCH /v1/schedules/{name}`: whether the schedule is to be paused.
    package static func isPaused(in body: consuming RequestBody) throws(Problem) -> Bool {
        let isPaused = try body.bool("paused")
        return try body.end(
            requiring: isPaused,
            "paused",
            "paused is required: true pauses the schedule, false resumes it."
        )
    }

    fileprivate static func ids(_ names: [String]) -> [DisplayID]? {
        let ids = names.map { DisplayID($0) }
        guard (1...mostDisplays).contains(ids.count), ids.allSatisfy({ $0 != nil }), Set(ids).count == ids.count else {
            return nil
        }
        return ids.compactMap(\.self)
    }
}

extension RequestBody {
    /// Returns `nil` for every display.
    fileprivate mutating func scheduleDisplays() throws(Problem) -> [DisplayID]? {
        guard let names = try strings("displays"), names != ["all"] else { return nil }
        let detail = "displays must be [\"all\"] or 1 to 64 different ids of displays."
        return try valid(Schedule.ids(names), "displays", detail)
    }

    fileprivate mutating func scheduleDays() throws(Problem) -> Set<Weekday>? {
        guard let names = try strings("days") else { return nil }
        let days = names.map { Weekday(rawValue: $0) }
        guard !days.isEmpty, days.allSatisfy({ $0 != nil }), Set(days).count == days.count else {
            let all = Weekday.allCases.map(\.rawValue).joined(separator: ", ")
            try reject("days", "days must be an array of different days: \(all).")
            return nil
        }
        return Set(days.compactMap(\.self))
    }

    fileprivate mutating func scheduleTime(_ name: String) throws(Problem) -> ScheduleTime? {
        guard let text = try string(name, length: 1...16) else { return nil }
        return try valid(
            ScheduleTime(text),
            name,
            "\(name) must be a local time such as \"22:00\", or \"sunrise\" or \"sunset\" with an offset of at "
                + "most 12 hours such as \"sunset-00:30\", not \"\(text)\"."
        )
    }

    private static let effects = ["dim", "boost", "brightness", "sleep"]

    fileprivate mutating func scheduleEffect() throws(Problem) -> Schedule.Effect? {
        let given = Self.effects.filter { unreadCount(of: $0) > 0 }
        let dim = try number("dim", in: 0...1).map { Schedule.Effect.lease(.dim, Brightness(clamping: $0)) }
        let boost = try number("boost", in: 0...1).map { Schedule.Effect.lease(.boost, Brightness(clamping: $0)) }
        let brightness = try number("brightness", in: 0...1).map { Schedule.Effect.baseline(Brightness(clamping: $0)) }
        let sleep = try scheduleSleep()
        if given.count > 1 {
            try reject(given[1], "A schedule does one thing; this one has \(given.joined(separator: " and ")).")
        }
        return dim ?? boost ?? brightness ?? sleep
    }

    private mutating func scheduleSleep() throws(Problem) -> Schedule.Effect? {
        guard let value = try bool("sleep") else { return nil }
        if !value { try reject("sleep", "sleep must be true or left out.") }
        return .lease(.sleep, nil)
    }
}
