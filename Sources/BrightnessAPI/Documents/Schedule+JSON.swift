// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension ScheduleReport {
    /// The document of `GET /v1/schedules` and of `schedule` events.
    package var json: [UInt8] {
        JSONWriter.object { json in
            json.member("clockSet", isClockSet)
            json.member("utcOffset", day.utcOffset)
            json.name("sun")
            if let sun = day.sun {
                json.object {
                    $0.member("sunrise", sun.sunrise?.rfc3339)
                    $0.member("sunset", sun.sunset?.rfc3339)
                }
            } else {
                json.null()
            }
            json.name("schedules")
            json.array(schedules) { $0.raw($1.json()) }
        }
    }
}

extension ScheduleState {
    /// The document of `GET /v1/schedules/{name}`.
    ///
    /// - Parameter warning: A fact that may surprise the client, in the response to the request that put the schedule.
    package func json(warning: String? = nil) -> [UInt8] {
        JSONWriter.object { json in
            json.member("name", schedule.name.text)
            json.name("displays")
            switch schedule.displays {
            case .all: json.array(CollectionOfOne("all")) { $0.string($1) }
            case .named(let ids): json.array(ids) { $0.string($1.text) }
            }
            json.name("days")
            json.array(Weekday.allCases.filter(schedule.days.contains)) { $0.string($1.rawValue) }
            json.member("from", schedule.from.text)
            json.member("to", schedule.to.text)
            switch schedule.effect {
            case .baseline(let brightness): json.member("brightness", fraction: brightness.fraction)
            case .lease(.sleep, _), .lease(.wake, _): json.member("sleep", true)
            case .lease(.boost, let brightness): json.member("boost", fraction: brightness?.fraction)
            case .lease(.dim, let brightness): json.member("dim", fraction: brightness?.fraction)
            }
            json.member("transition", fraction: schedule.transition.map { $0 / .seconds(1) })
            json.member("active", isActive)
            if let warning { json.member("warning", warning) }
            json.name("next")
            guard let next else { return json.null() }
            json.object {
                $0.member("at", next.at.rfc3339)
                $0.member("change", next.isBegin ? "begin" : "end")
            }
        }
    }
}
