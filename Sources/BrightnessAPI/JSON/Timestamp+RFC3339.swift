// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension Timestamp {
    /// `2026-11-21T06:00:00.123Z`: RFC 3339, UTC, milliseconds.
    package var rfc3339: String {
        let (days, inDay) = milliseconds.quotientAndFloorRemainder(by: 86_400_000)
        let (year, month, day) = Self.date(daysSince1970: days)
        let (seconds, fraction) = inDay.quotientAndRemainder(dividingBy: 1_000)
        // Digit by digit, since there are two of these in every state.
        return String(unsafeUninitializedCapacity: 32) { buffer in
            var length = 0
            func write(_ number: Int64, digits: Int, end: Unicode.Scalar) {
                var rest = abs(number)
                for place in (length..<length + digits).reversed() {
                    buffer[place] = UInt8(ascii: "0") + UInt8(rest % 10)
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
            return length
        }
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
}

extension Int64 {
    fileprivate func quotientAndFloorRemainder(by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
