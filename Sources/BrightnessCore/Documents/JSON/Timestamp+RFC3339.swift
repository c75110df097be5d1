// SPDX-License-Identifier: Apache-2.0
import Support

extension Timestamp {
    /// `2026-11-21T06:00:00.123Z`: RFC 3339, UTC, milliseconds.
    package var rfc3339: String {
        String(unsafeUninitializedCapacity: Self.length) { buffer in
            write(to: buffer)
            return Self.length
        }
    }

    /// The length of `rfc3339` in bytes.
    static let length = 24

    /// Writes `rfc3339`. Digit by digit: every state has two of these.
    func write(to buffer: UnsafeMutableBufferPointer<UInt8>) {
        let (days, inDay) = milliseconds.quotientAndFloorRemainder(by: 86_400_000)
        let (year, month, day) = Self.date(daysSince1970: days)
        let (seconds, fraction) = inDay.quotientAndRemainder(dividingBy: 1_000)
        var length = 0
        func write(_ number: Int64, digits: Int, end: Unicode.Scalar) {
            var rest = abs(number)
            for index in (length..<length + digits).reversed() {
                buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            buffer[length + digits] = UInt8(ascii: end)
            length += digits + 1
        }
        write(year, digits: 4, end: "-")
        write(month, digits: 2, end: "-")
        write(day, digits: 2, end: "T")
        write(seconds / 3_600, digits: 2, end: ":")
        write(seconds / 60 % 60, digits: 2, end: ":")
        write(seconds % 60, digits: 2, end: ".")
        write(fraction, digits: 3, end: "Z")
    }

    /// The proleptic Gregorian date, from eras of 400 years that begin on a first of March.
    ///
    /// - SeeAlso: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
    private static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).quotientAndFloorRemainder(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// Reads RFC 3339, `2026-11-21T07:00:00.123+01:00` for example; `nil` for anything else.
    ///
    /// - Digits beyond milliseconds are cut off.
    /// - A space counts as the plus of an offset: an unescaped plus in a query is a space.
    package init?(rfc3339 text: String) {
        var text = Scanner(text)
        guard let year = text.number(4), text.skip("-"), let month = text.number(2), text.skip("-"),
            let day = text.number(2), text.skip("Tt "), let hour = text.number(2), text.skip(":"),
            let minute = text.number(2), text.skip(":"), let second = text.number(2),
            (1...12).contains(month), hour < 24, minute < 60,
            // 60 is a leap second.
            second <= 60
        else { return nil }
        var milliseconds: Int64 = 0
        if text.skip(".") {
            guard let fraction = text.fraction() else { return nil }
            milliseconds = fraction
        }
        guard let offset = text.offset(), text.isAtEnd else { return nil }
        let days = Self.daysSince1970(year: year, month: month, day: day)
        // The month may have fewer days.
        guard Self.date(daysSince1970: days) == (year, month, day) else { return nil }
        let seconds = ((days * 24 + hour) * 60 + minute - offset) * 60 + second
        self.init(milliseconds: seconds * 1_000 + milliseconds)
        guard isWritable else { return nil }
    }

    /// Whether RFC 3339 can express it.
    package var isWritable: Bool { Self.writable.contains(milliseconds) }

    /// The years 0 to 9999 in UTC. An offset near their ends leads to other years.
    private static let writable: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// The inverse of `date(daysSince1970:)`.
    ///
    /// - SeeAlso: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        // January and February count to the previous year: one era keeps the year 0 positive.
        let year = year + 400 - (month <= 2 ? 1 : 0)
        let (era, yearOfEra) = year.quotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return (era - 1) * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

/// Reads text from its front.
private struct Scanner {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// Skips one of these characters, or returns `false`.
    mutating func skip(_ characters: StaticString) -> Bool {
        guard let first = rest.first, characters.withUTF8Buffer({ $0.contains(first) }) else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads a number of exactly `count` digits.
    mutating func number(_ count: Int) -> Int64? {
        var number: Int64 = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Reads the digits of a fraction, in thousandths.
    mutating func fraction() -> Int64? {
        guard var number = digit() else { return nil }
        var count = 1
        while let digit = digit() {
            count += 1
            if count <= 3 { number = number * 10 + digit }
        }
        for _ in count..<max(count, 3) { number *= 10 }
        return number
    }

    /// Reads `Z`, or hours and minutes east of Greenwich; returns minutes.
    mutating func offset() -> Int64? {
        if skip("Zz") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+ "), let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }

    private mutating func digit() -> Int64? {
        guard let first = rest.first, first.isDigit else { return nil }
        rest.removeFirst()
        return Int64(first - UInt8(ascii: "0"))
    }
}
