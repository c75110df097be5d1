// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension DisplayState {
    /// Several lines: what one display shows, and why.
    package func description(_ style: Style, at now: Timestamp, _ heldLeases: HeldLeases = HeldLeases()) -> String {
        func held(_ kind: LeaseKind, _ leases: LeaseSummary) -> String {
            if leases.isOverridden { return "overridden by hand" }
            return heldLeases.text(of: kind, on: id, at: now) ?? text(of: leases, at: now)
        }
        var title = style.bold(name)
        if name != id.text { title += style.faint(" (\(id))") }
        var rows = [("brightness", shown(style, at: now))]
        if let provider { rows.append(("provider", provider.text)) }
        if let leader { rows.append(("follows", leader.text)) }
        for kind in LeaseKind.allCases {
            guard let leases = leases(of: kind) else { continue }
            let text = held(kind, leases) + (kind.subject == .brightness ? after(leases) : "")
            rows.append((kind.rawValue, kind.demand == .atLeast ? style.temporary(text) : text))
        }
        rows.append(("automatic", automatic.text(at: now)))
        rows.append(("last change", style.faint("\(cause.at.clock(at: now)) \(cause.text)")))
        return ([title] + rows.map { "  \(padded($0, 12))\($1)" }).joined(separator: "\n")
    }

    /// One line: the id, what it shows, what would follow a boost or a dim, and which display or light it follows.
    package func line(_ style: Style) -> String {
        var line = "\(style.bold(id.text))  \(levelWithBrightness)"
        if isDimmed {
            line += "  dimmed, then \(baseline.percent)"
        } else if isBoosted {
            line += style.temporary("  boosted, then \(baseline.percent)")
        }
        if let leader { line += style.faint("  follows \(leader)") }
        if automatic.isEnabled { line += style.faint("  automatic" + automatic.remark) }
        return line
    }

    /// One line of `watch`: what changed, by whom and why.
    package func change(_ style: Style) -> String {
        // Its machine went offline: the cause is of an earlier change.
        if let since = unavailable?.since, since > cause.at {
            return "\(style.faint(since.clock))  \(style.bold(id.text))  not available"
        }
        let level = isBoosted ? style.temporary(levelWithBrightness) : levelWithBrightness
        return "\(style.faint(cause.at.clock))  \(style.bold(id.text))  \(level)  "
            + style.faint(cause.text)
    }

    /// The displays under each other, in columns.
    package static func table(_ states: [DisplayState], _ style: Style) -> String {
        let head = ["ID", "BRIGHTNESS", "BASELINE", "KIND", "NAME"]
        let rows = states.map { state in
            [
                state.id.text, state.level,
                state.isDimmable ? state.baseline.percent : state.power.baseline ? "on" : "off",
                state.kind.rawValue, state.name,
            ]
        }
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let line = zip(cells, widths).map { padded($0, $1 + 2) }.joined()
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
        return ([style.bold(line(head))] + rows.map(line)).joined(separator: "\n")
    }

    /// The brightness that it shows, or why it shows none.
    private var level: String {
        if isOff { return "off" }
        if !isAvailable { return "not available" }
        if isBlank { return "no signal" }
        // For an unknown power, the state that people asked for.
        return isDimmable ? brightness.percent : (power.isOn ?? power.baseline) ? "on" : "off"
    }

    /// The level, and while it is off also the brightness that it will have.
    private var levelWithBrightness: String { isOff && isDimmable ? "off, \(brightness.percent) when on" : level }

    /// Whether it is known to be off, and so dark at any brightness.
    var isOff: Bool { isAvailable && power.isOn == false }

    /// Whether it is lit, and the system sends it no picture.
    private var isBlank: Bool { limits.contains(.signal) }

    /// Whether a dim keeps it below its baseline.
    private var isDimmed: Bool {
        dim.map { !$0.isOverridden && brightness < baseline } ?? false
    }

    var isBoosted: Bool { boost.map { !$0.isOverridden } ?? false }

    private func shown(_ style: Style, at now: Timestamp) -> String {
        guard isAvailable else {
            let since = unavailable.map { since in
                let time = since.since.clock(at: now)
                return " " + (since.isAtLatest ? "since before \(time)" : "since \(time)")
            }
            return "not available" + (since ?? "")
                + ": unplugged, asleep, it rejects writes, or its machine is offline"
        }
        guard isDimmable else { return "\(level), cannot be dimmed" }
        return (isOff ? levelWithBrightness : brightness.percent + (isBlank ? ", no signal" : ""))
            + style.faint("  (\(step) of \(range.maximum))")
    }

    private func text(of leases: LeaseSummary, at now: Timestamp) -> String {
        let count = leases.count == 1 ? "1 lease" : "\(leases.count) leases"
        let end = leases.until.map { "until \($0.clock(at: now))" } ?? "until released"
        return "\(leases.brightness.map { "\($0.percent) " } ?? "")\(end) (\(count))"
    }

    private func after(_ leases: LeaseSummary) -> String {
        leases.isOverridden ? "" : ", then \(baseline.percent)"
    }
}

extension Brightness {
    /// Such as `42 %`.
    var percent: String { "\(Int((fraction * 100).rounded())) %" }
}

extension DisplayState.Automatic {
    func text(at now: Timestamp) -> String {
        guard isEnabled else { return "off" }
        return "on" + (heldUntil.map { ", held until \($0.clock(at: now))" } ?? "") + remark
    }

    /// The missing sensor, as a remark after `on`.
    fileprivate var remark: String { waiting.map { ", " + $0.text } ?? "" }
}

extension DisplayState.Automatic.Missing {
    fileprivate var text: String {
        switch self {
        case .sensor: "waiting for a light sensor"
        }
    }
}

extension Cause {
    /// Such as `boost by kiosk-3: qr`. Schedules and the idle rule are their own authors.
    var text: String {
        let author = by.map { $0.holderText } ?? ""
        let who =
            switch kind {
            case .schedule where !author.isEmpty: author
            case .follow where !author.isEmpty: "follows \(author)"
            case .idle where !author.isEmpty: "\(author): nobody was there, or somebody came back"
            default: (kind == .api ? "set" : kind.rawValue) + (author.isEmpty ? "" : " by \(author)")
            }
        return who + (reason.map { ": \($0)" } ?? "")
    }
}

extension String {
    /// A holder as people name it: `schedule:night` is the schedule night.
    var holderText: String {
        if let schedule = ReservedHolder.schedule(of: self) { return "the schedule \(schedule)" }
        return self == ReservedHolder.idle ? "the idle rule" : self
    }
}

extension Lease {
    /// One line: the display, what the lease asks for, until when, and why that does not show.
    package func line(_ style: Style, at now: Timestamp, limitedBy limits: [DisplayState.Limit] = []) -> String {
        let end = end.map { "until \($0.wall.clock(at: now))" } ?? "until released"
        let request = brightness?.percent ?? (kind == .sleep ? "off" : "on")
        return "\(style.bold(display.text))  \(style.temporary("\(request) \(end)"))\(remark(limits))"
    }

    private func remark(_ limits: [DisplayState.Limit]) -> String {
        if limits.contains(.power) || limits.contains(.sleep) {
            return "  off: the \(kind.rawValue) shows when it is on"
        }
        if limits.contains(.signal) { return "  no signal: another program has blanked the screen" }
        if limits.contains(.dim) { return "  dimmed: the \(kind.rawValue) shows when the dim ends" }
        return ""
    }
}

/// The text and as many spaces as it lacks.
private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 0))
}
