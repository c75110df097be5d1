// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
package import Documents

extension HistoryDocument {
    /// A sparkline between its limits, then the leases.
    package func description(_ style: Style) -> String {
        let values = history.points.map(\.brightness)
        var lines = [
            "\(style.bold(query.display.text))  \(query.from.clock(at: query.to)) to \(query.to.clock), a column for "
                + Span(seconds: Double(query.step)).text
        ]
        lines.append(Sparkline.text(values.map { $0?.fraction }))
        if let extent = history.extent {
            let now = values.last.flatMap(\.self).map { ", \($0.percent) at the end" } ?? ""
            let (lowest, highest) = (extent.lowerBound.percent, extent.upperBound.percent)
            lines.append(style.faint("lowest \(lowest), highest \(highest)\(now)"))
        } else {
            lines.append(style.faint("nothing is known of that time"))
        }
        return (lines + history.leases.map { $0.line(style, at: query.to) }).joined(separator: "\n")
    }
}

extension LeaseInterval {
    fileprivate func line(_ style: Style, at now: Timestamp) -> String {
        let duration = to.map { " for \(($0.milliseconds - from.milliseconds) / 1_000) s" } ?? ", in force"
        let who = holder.map { " by \($0.holderText)" } ?? ""
        let why = reason.map { ": \($0)" } ?? ""
        let how = end.map { " (\($0.rawValue))" } ?? ""
        let what = kind == .boost ? style.raised(kind.rawValue) : kind.rawValue
        return "\(style.faint(from.clock(at: now)))  \(what)\(who)\(why)\(duration)\(how)"
    }
}
