// SPDX-License-Identifier: Apache-2.0

/// The values that members of documents have. `nil` for a value of another type, and for one outside its range.
extension JSONNode {
    /// A text without control characters.
    package var text: String? { text(upTo: 256) }

    /// - Parameter limit: The most characters (code points).
    func text(upTo limit: Int) -> String? {
        string.flatMap { $0.isPlain(ofLength: 0...limit) ? $0 : nil }
    }

    /// One of the words of an enumeration; `nil` also for a word that this version does not know.
    func word<Word: RawRepresentable<String>>() -> Word? { string.flatMap { Word(rawValue: $0) } }

    /// At most 2^53, up to which every integer of JSON is exact: sums of a few never overflow.
    package var integer: Int? { number.flatMap { $0.magnitude <= 0x1p53 ? Int(exactly: $0) : nil } }

    /// A non-negative integer.
    var count: Int? { integer.flatMap { $0 >= 0 ? $0 : nil } }

    var brightness: Brightness? { number.flatMap { Brightness(fraction: $0) } }

    var illuminance: Illuminance? { number.flatMap { Illuminance(lux: $0) } }

    /// An RFC 3339 timestamp.
    var time: Timestamp? { string.flatMap { Timestamp(rfc3339: $0) } }

    var display: DisplayID? { string.flatMap { DisplayID($0) } }
}
