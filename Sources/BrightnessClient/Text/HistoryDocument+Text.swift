// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension HistoryDocument {
    /// A sparkline between its limits.
    package func description(_ style: Style) -> String {
        let values = history.points.map(\.brightness)
        var lines = [
            "\(style.bold(query.display.text))  "
                + """
                \(query.from.clock(at: query.to)) to \(query.to.clock), a column for \
                \(Span(seconds: Double(query.step)).text)
                """
        ]
        lines.append(Sparkline.text(values.map { $0?.fraction }))
        if let extent = history.extent {
            let now = values.last.flatMap(\.self).map { ", \($0.percent) at the end" } ?? ""
            let (lowest, highest) = (extent.lowerBound.percent, extent.upperBound.percent)
            lines.append(style.faint("lowest \(lowest), highest \(highest)" + now))
        } else {
            lines.append(style.faint("nothing is known of that time"))
        }
        return lines.joined(separator: "\n")
    }
}

/// A small chart of one line, drawn with the eight block characters.
package enum Sparkline {
    private static let blocks = Array("▁▂▃▄▅▆▇█")

    /// One character for each value: the lowest block for 0, the full one for 1, a space where there is no value.
    package static func text(_ fractions: [Double?]) -> String {
        String(
            fractions.map { fraction in
                guard let fraction, !fraction.isNaN else { return " " }
                return blocks[Int((min(max(fraction, 0), 1) * Double(blocks.count - 1)).rounded())]
            }
        )
    }
}
