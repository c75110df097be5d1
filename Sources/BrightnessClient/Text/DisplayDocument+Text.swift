// SPDX-License-Identifier: Apache-2.0

extension DisplayDocument {
    /// Several lines: what one display shows, and why.
    package func description(_ style: Style, at now: Time) -> String {
        var title = style.bold(name ?? id)
        if name != id { title += style.faint(" (\(id))") }
        var rows = [("brightness", shown(style, at: now))]
        if let boost { rows.append(("boost", style.raised("\(text(of: boost, at: now))\(after(boost))"))) }
        if let dim { rows.append(("dim", "\(text(of: dim, at: now))\(after(dim))")) }
        if let wake { rows.append(("wake", text(of: wake, at: now))) }
        if let sleep { rows.append(("sleep", text(of: sleep, at: now))) }
        if let automatic { rows.append(("automatic", text(of: automatic, at: now))) }
        if let cause {
            let at = cause.at.map { "\($0.clock(at: now)) " } ?? ""
            rows.append(("last change", style.faint(at + cause.text)))
        }
        return ([title] + rows.map { "  \(padded($0, 12))\($1)" }).joined(separator: "\n")
    }

    /// One line: the id, what it shows, what would follow a boost or a dim, and whether that is automatic.
    package func line(_ style: Style) -> String {
        var line = "\(style.bold(id))  \(isAvailable ? Self.percent(brightness) : "not available")"
        if isOn == false { line += "  switched off" }
        if isDimmed {
            line += "  dimmed, then \(Self.percent(baseline))"
        } else if isBoosted {
            line += style.raised("  boosted, then \(Self.percent(baseline))")
        }
        if let automatic, automatic.isEnabled { line += style.faint("  automatic\(automatic.remark)") }
        return line
    }

    /// One line of `watch`: what changed, by whom and why.
    package func change(_ style: Style, at now: Time) -> String {
        // Its machine went offline: the cause is of an earlier change.
        if let since = unavailable?.since, let last = cause?.at, since.secondsSince1970 > last.secondsSince1970 {
            return "\(style.faint(since.clock))  \(style.bold(id))  not available"
        }
        let at = (cause?.at ?? now).clock
        let shown = isAvailable ? Self.percent(brightness) : "not available"
        let text = "\(style.faint(at))  \(style.bold(id))  \(isBoosted ? style.raised(shown) : shown)"
        return cause.map { "\(text)  \(style.faint($0.text))" } ?? text
    }

    /// The displays under each other, in columns.
    package static func table(_ states: [DisplayDocument], _ style: Style) -> String {
        let head = ["ID", "BRIGHTNESS", "BASELINE", "KIND", "NAME"]
        let rows = states.map { state in
            [
                state.id, state.isAvailable ? percent(state.brightness) : "not available", percent(state.baseline),
                state.kind ?? "", state.name ?? "",
            ]
        }
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let line = zip(cells, widths).map { padded($0, $1 + 2) }.joined()
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
        return ([style.bold(line(head))] + rows.map(line)).joined(separator: "\n")
    }

    /// Whether a dim keeps it below its baseline.
    private var isDimmed: Bool {
        guard let dim, !dim.isOverridden, let brightness, let baseline else { return false }
        return brightness < baseline
    }

    package var isBoosted: Bool { boost.map { !$0.isOverridden } ?? false }

    package static func percent(_ fraction: Double?) -> String {
        fraction.map { "\(Int(($0 * 100).rounded())) %" } ?? "unknown"
    }

    private func shown(_ style: Style, at now: Time) -> String {
        guard isAvailable else {
            let since = unavailable.map { " since \($0.isLatest ? "before " : "")\($0.since.clock(at: now))" } ?? ""
            return "not available\(since): unplugged, asleep, it refuses, or its machine is offline"
        }
        let step = raw.map { style.faint("  (\($0.value) of \($0.maximum))") } ?? ""
        return Self.percent(brightness) + (isOn == false ? ", switched off" : "") + step
    }

    private func text(of leases: Summary, at now: Time) -> String {
        if leases.isOverridden { return "overridden by hand" }
        let count = leases.leases == 1 ? "1 lease" : "\(leases.leases) leases"
        let end = leases.until.map { "until \($0.clock(at: now))" } ?? "until released"
        return "\(leases.brightness.map { "\(Self.percent($0)) " } ?? "")\(end) (\(count))"
    }

    private func after(_ leases: Summary) -> String {
        leases.isOverridden ? "" : ", then \(Self.percent(baseline))"
    }

    private func text(of automatic: Automatic, at now: Time) -> String {
        guard automatic.isEnabled else { return "off" }
        return "on" + (automatic.heldUntil.map { ", held until \($0.clock(at: now))" } ?? "") + automatic.remark
    }
}

extension DisplayDocument.Automatic {
    /// What is missing, after `on`.
    fileprivate var remark: String { waiting.map { ", waiting for a light \($0)" } ?? "" }
}

extension ChangeCause {
    /// Such as `boost by kiosk-3: qr`.
    package var text: String {
        kind + (by.map { " by \($0)" } ?? "") + (reason.map { ": \($0)" } ?? "")
    }
}

extension LeaseDocument {
    package func line(_ style: Style, at now: Time) -> String {
        let end = until.map { "until \($0.clock(at: now))" } ?? "until released"
        let request = brightness.map { DisplayDocument.percent($0) } ?? kind
        return "\(style.bold(display))  \(style.raised("\(request) \(end)"))"
    }
}

/// The text and as many spaces as it lacks.
private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 0))
}
