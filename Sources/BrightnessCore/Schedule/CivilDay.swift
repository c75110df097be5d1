// SPDX-License-Identifier: Apache-2.0

/// A day of the Gregorian calendar in local time.
package struct CivilDay: Hashable, Sendable, Comparable {
    /// The days since 1970-01-01.
    let number: Int64

    init(_ number: Int64) { self.number = number }

    /// The day that contains a second since 1970 of local time.
    init(localSecond: Int64) { number = localSecond.floorDivided(by: 86_400) }

    /// 1970-01-01 was a Thursday.
    var weekday: Weekday { Weekday.allCases[Int((number + 3).floorRemainder(by: 7))] }

    package static func < (left: CivilDay, right: CivilDay) -> Bool { left.number < right.number }

    static func + (day: CivilDay, days: Int64) -> CivilDay { CivilDay(day.number + days) }
}

package enum Weekday: String, Hashable, Sendable, CaseIterable {
    case mon, tue, wed, thu, fri, sat, sun
}

extension Int64 {
    func floorDivided(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    func floorRemainder(by divisor: Int64) -> Int64 { self - floorDivided(by: divisor) * divisor }
}
