// SPDX-License-Identifier: Apache-2.0

extension ScheduleDocument {
    /// One line: the name, when, what, on which displays, and when that changes next.
    package func line(_ style: Style, at now: Time) -> String {
        let when = "\(from) to \(to)\(days.count == 7 ? "" : " on \(days.joined(separator: ", "))")"
        let what = isActive ? style.raised(effect) : effect
        let place = displays == ["all"] ? "" : style.faint("  \(displays.joined(separator: ", "))")
        let change = next.map { "  \($0.isBegin ? "begins" : "ends") \($0.at.clock(at: now))" } ?? ""
        return "\(style.bold(name))  \(when)  \(what)\(place)\(style.faint(change))"
    }
}
