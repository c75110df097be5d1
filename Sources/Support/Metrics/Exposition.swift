// SPDX-License-Identifier: Apache-2.0

/// Metrics in the Prometheus text format, version 0.0.4.
///
/// Families without samples are written, too, so that their names can be found.
/// - SeeAlso: https://prometheus.io/docs/instrumenting/exposition_formats/
package struct Exposition {
    package enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    package typealias Labels = KeyValuePairs<StaticString, String>

    package private(set) var text = ""
    private var name: StaticString = ""

    package init() {}

    /// Begins a family; its samples must follow.
    ///
    /// - Parameters:
    ///   - name: Includes the unit, and `_total` for a counter.
    ///   - help: One line.
    package mutating func family(_ name: StaticString, _ kind: Kind, help: StaticString) {
        self.name = name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Writes a sample of the family.
    package mutating func sample(_ value: some BinaryInteger, _ labels: Labels = [:]) {
        write("", labels, value: String(value))
    }

    package mutating func sample(_ value: Double, _ labels: Labels = [:]) {
        write("", labels, value: Self.number(value))
    }

    package mutating func sample(_ value: Bool, _ labels: Labels = [:]) { sample(value ? 1 : 0, labels) }

    /// Writes the samples of a histogram, in seconds.
    package mutating func samples(_ histogram: Histogram) {
        var sum: UInt64 = 0
        for (bound, count) in zip(histogram.bounds, histogram.counts) {
            sum += count
            write("_bucket", ["le": Self.number(bound / .seconds(1))], value: String(sum))
        }
        sum += histogram.counts.last ?? 0
        write("_bucket", ["le": "+Inf"], value: String(sum))
        write("_sum", [:], value: Self.number(histogram.sum / .seconds(1)))
        write("_count", [:], value: String(sum))
    }

    private mutating func write(_ suffix: StaticString, _ labels: Labels, value: String) {
        text += "\(name)\(suffix)"
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",") + "}"
        }
        text += " \(value)\n"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
