// SPDX-License-Identifier: Apache-2.0

/// A text that is written in English and shown in the language of the terminal. `"until \(time)"` is the key
/// `until {0}` of a language's table, with one value.
package struct LocalizedText: ExpressibleByStringInterpolation, Sendable {
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var key = ""
        fileprivate var values: [String] = []

        package init(literalCapacity: Int, interpolationCount: Int) { key.reserveCapacity(literalCapacity) }

        package mutating func appendLiteral(_ literal: String) { key += literal }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            key += "{\(values.count)}"
            values.append(value.description)
        }
    }

    private let key: String
    private let values: [String]

    package init(stringLiteral value: String) { (key, values) = (value, []) }

    package init(stringInterpolation: StringInterpolation) {
        (key, values) = (stringInterpolation.key, stringInterpolation.values)
    }

    /// A text in the words of something else, such as the daemon.
    package init(verbatim text: String) { (key, values) = ("{0}", [text]) }

    /// A word of the API, such as a kind of lease.
    init(key: String) { (self.key, values) = (key, []) }

    package func text(in language: Language) -> String { filled(language.table[key] ?? key) }

    private func filled(_ pattern: String) -> String {
        guard !values.isEmpty else { return pattern }
        var (text, rest) = ("", pattern[...])
        while let start = rest.firstIndex(of: "{") {
            text += rest[..<start]
            rest = rest[start...]
            guard let end = rest.firstIndex(of: "}"), let place = Int(rest[rest.index(after: start)..<end]),
                values.indices.contains(place)
            else {
                text.append(rest.removeFirst())
                continue
            }
            text += values[place]
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }
}

extension LocalizedText: CustomStringConvertible {
    /// The text in the language of the terminal.
    package var description: String { text(in: .current) }
}

extension LocalizedText: Equatable {
    package static func == (left: LocalizedText, right: LocalizedText) -> Bool {
        left.text(in: .english) == right.text(in: .english)
    }
}

/// The text in the language of the terminal.
func localized(_ text: LocalizedText) -> String { text.description }

extension RawRepresentable<String> {
    /// A word of the API, such as a kind of lease, in the language of the terminal.
    var word: String { localized(LocalizedText(key: rawValue)) }
}
