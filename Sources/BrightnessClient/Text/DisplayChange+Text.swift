// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension DisplayChange {
    /// One line: when, what the display shows since then, by whom and why.
    package func line(_ style: Style, at now: Timestamp) -> String {
        let level = lease.map { $0.kind == .boost && !$0.isEnd } ?? false ? style.temporary(what) : what
        return "\(style.faint(cause.at.clock(at: now)))  \(level)  \(style.faint(who))"
    }

    private var what: String {
        if !shown.isAvailable { return localized("lost") }
        if let before, !before.isAvailable { return localized("found, \(level)") }
        if let before, before.isOn != shown.isOn {
            return localized(shown.isOn ? "on, \(shown.brightness.percent)" : "off")
        }
        if before?.brightness == shown.brightness, before?.baseline != shown.baseline {
            return localized("\(shown.baseline.percent), shows \(level)")
        }
        return level
    }

    private var level: String { shown.isOn ? shown.brightness.percent : localized("off") }

    private var who: String {
        guard let lease else { return cause.text }
        if cause.by == ReservedHolder.idle {
            return "\(lease.kind.word): \(lease.isEnd ? localized("somebody is there") : localized("nobody is there"))"
        }
        let author = cause.by.map { " " + localized("by \($0.holderText)") } ?? ""
        let isOwnEnd = cause.kind == .expired || cause.kind == .disconnected
        let end = lease.isEnd ? " \(isOwnEnd ? cause.kind.word : localized("ended"))" : ""
        return "\(lease.kind.word)\(author)\(end)" + (cause.reason.map { ": \($0)" } ?? "")
    }
}
