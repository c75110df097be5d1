// SPDX-License-Identifier: Apache-2.0

extension HistoryDocument {
    /// A sparkline between its limits, then the leases.
    package func description(_ style: Style) -> String {
        let known = brightness.compactMap(\.self)
        var lines = [
            "\(style.bold(display))  \(from.clock(at: to)) to \(to.clock), a column for \(Span(seconds: step).text)"
        ]
        lines.append(Sparkline.text(brightness))
        if let lowest = known.min(), let highest = known.max(), let last = brightness.last {
            let now = last.map { ", \(DisplayDocument.percent($0)) at the end" } ?? ""
            lines.append(
                style.faint(
                    "lowest \(DisplayDocument.percent(lowest)), highest \(DisplayDocument.percent(highest))\(now)"
                )
            )
        } else {
            lines.append(style.faint("nothing is known of that time"))
        }
        return (lines + leases.map { $0.line(style, at: to) }).joined(separator: "\n")
    }
}

extension HistoryDocument.Band {
    fileprivate func line(_ style: Style, at now: Time) -> String {
        let duration = to.map { " for \($0.secondsSince1970 - from.secondsSince1970) s" } ?? ", in force"
        let who = holder.map { " by \($0)" } ?? ""
        let why = reason.map { ": \($0)" } ?? ""
        let how = end.map { " (\($0))" } ?? ""
        let what = kind == "boost" ? style.raised(kind) : kind
        return "\(style.faint(from.clock(at: now)))  \(what)\(who)\(why)\(duration)\(how)"
    }
}
