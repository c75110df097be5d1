// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension DisplayChange {
    /// One line: when, what the display shows since then, by whom and why.
    package func line(_ style: Style, at now: Timestamp) -> String {
        let isBoost = lease.map { $0.kind == .boost && !$0.hasEnded } ?? false
        return "\(style.faint(cause.at.clock(at: now)))  \(isBoost ? style.temporary(what) : what)  \(style.faint(who))"
    }

    private var what: String {
        if !shown.isAvailable { return "lost" }
        if let before, !before.isAvailable { return "found, \(level)" }
        if let before, before.isOn != shown.isOn {
            return shown.isOn ? "on, \(shown.brightness.percent)" : "off"
        }
        // Set during a lease.
        if before?.brightness == shown.brightness, before?.baseline != shown.baseline {
            return "\(shown.baseline.percent), shows \(level)"
        }
        // Set while it is off.
        if let before, !shown.isOn, before.brightness != shown.brightness {
            return "off, \(shown.brightness.percent) when on"
        }
        return level
    }

    private var level: String { shown.isOn ? shown.brightness.percent : "off" }

    private var who: String {
        guard let lease else { return cause.text }
        if cause.by == ReservedHolder.idle {
            return "\(lease.kind.rawValue): \(lease.hasEnded ? "somebody is there" : "nobody is there")"
        }
        let author = cause.by.map { " by \($0.holderText)" } ?? ""
        let kind = lease.kind.rawValue
        let text =
            switch cause.kind {
            case _ where !lease.hasEnded: "\(kind)\(author)"
            case .expired, .disconnected: "\(kind)\(author) \(cause.kind.rawValue)"
            case .schedule: "\(kind)\(author) ended"
            // Somebody else may have ended it.
            default: "\(kind) ended\(author)"
            }
        return text + (cause.reason.map { ": \($0)" } ?? "")
    }
}
