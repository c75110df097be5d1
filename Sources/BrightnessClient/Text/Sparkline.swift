// SPDX-License-Identifier: Apache-2.0

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
