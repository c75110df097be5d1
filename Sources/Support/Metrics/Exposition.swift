// SPDX-License-Identifier: Apache-2.0

/// Metrics in the Prometheus text format, version 0.0.4.
///
/// Families without samples are written, too, so that their names can be found.
/// - SeeAlso: https://prometheus.io/docs/instrumenting/exposition_formats/
package struct Exposition {
    package enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    /// The labels of a sample, escaped once for any number of samples.
    package struct Labels: Sendable, ExpressibleByDictionaryLiteral {
        /// `a="b",c="d"`.
        fileprivate private(set) var bytes: [UInt8] = []

        package init(dictionaryLiteral labels: (StaticString, String)...) {
            for (name, value) in labels { add(name, value) }
        }

        /// Returns these labels and one more.
        package func adding(_ name: StaticString, _ value: String) -> Labels {
            var labels = self
            labels.add(name, value)
            return labels
        }

        private mutating func add(_ name: StaticString, _ value: String) {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
            bytes.append(name)
            bytes += [UInt8(ascii: "="), UInt8(ascii: "\"")]
            for byte in value.utf8 {
                switch byte {
                case UInt8(ascii: "\\"), UInt8(ascii: "\""): bytes += [UInt8(ascii: "\\"), byte]
                case UInt8(ascii: "\n"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
                default: bytes.append(byte)
                }
            }
            bytes.append(UInt8(ascii: "\""))
        }
    }

    package private(set) var bytes: [UInt8] = []
    private var name: StaticString = ""

    package init() {}

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Begins a family; its samples must follow.
    ///
    /// - Parameters:
    ///   - name: Includes the unit, and `_total` for a counter.
    ///   - help: One line.
    ///   - kind: `nil` for a counter or a gauge, as the name has it.
    package mutating func family(_ name: StaticString, _ help: StaticString, _ kind: Kind? = nil) {
        self.name = name
        let kind = kind ?? (name.description.hasSuffix("_total") ? .counter : .gauge)
        bytes += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n".utf8
    }

    /// Writes a family with one sample, or with none.
    package mutating func single(_ name: StaticString, _ help: StaticString, _ value: Double?) {
        family(name, help)
        if let value { sample(value) }
    }

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
        bytes.append(name)
        bytes.append(suffix)
        if !labels.bytes.isEmpty {
            bytes.append(UInt8(ascii: "{"))
            bytes += labels.bytes
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(UInt8(ascii: " "))
        bytes += value.utf8
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ text: StaticString) { text.withUTF8Buffer { append(contentsOf: $0) } }
}
