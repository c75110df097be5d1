// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension ScheduleState {
    /// One line: the name, when, what, on which displays, and when that changes next.
    ///
    /// - Parameter utcOffset: By how many seconds the daemon's clocks are ahead of UTC: its times are shown.
    package func line(_ style: Style, at now: Timestamp, utcOffset: Int64) -> String {
        let days = Weekday.allCases.filter(schedule.days.contains)
        let isDaily = days.count == Weekday.allCases.count
        let when =
            "\(schedule.from.text) to \(schedule.to.text)"
            + (isDaily ? "" : " on \(days.map(\.rawValue).joined(separator: ", "))")
        let what = isActive ? style.temporary(schedule.effect.text) : schedule.effect.text
        let change = next.map { "  \($0.isBegin ? "begins" : "ends") \($0.at.minute(at: now, utcOffset: utcOffset))" }
        let status = schedule.isPaused ? "  paused" : (change ?? "")
        return "\(style.bold(schedule.name.text))  \(when)  \(what)\(displays(style))\(style.faint(status))"
    }

    private func displays(_ style: Style) -> String {
        switch schedule.displays {
        case .all: ""
        case .named(let ids): style.faint("  \(ids.map(\.text).joined(separator: ", "))")
        }
    }
}

extension Schedule.Effect {
    /// Such as `dim 20 %`.
    fileprivate var text: String {
        switch self {
        case .baseline(let brightness): "brightness \(brightness.percent)"
        case .lease(let kind, let brightness): kind.rawValue + (brightness.map { " \($0.percent)" } ?? "")
        }
    }
}

extension Preset {
    /// One line: the name, and each display with its value.
    func line(_ style: Style) -> String {
        let values = rules.map { "\($0.displays.text)=\($0.value.text)" }
        return "\(style.bold(name.text))  \(values.joined(separator: "  "))"
    }
}

extension PresetValue {
    /// As `brightness presets set` reads it.
    fileprivate var text: String {
        [brightness.map { "\($0.percent)".replacing(" ", with: "") }, isOn.map { $0 ? "on" : "off" }]
            .compactMap(\.self).joined(separator: ",")
    }
}
