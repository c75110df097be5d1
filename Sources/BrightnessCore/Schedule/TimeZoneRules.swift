// SPDX-License-Identifier: Apache-2.0

/// The rules of a time zone. Injected: the core has no C library.
package protocol TimeZoneRules: Sendable {
    /// Returns by how many seconds local clocks are ahead of UTC at this second since 1970: less than 18 hours either
    /// way. Rules with several changes within an hour are not supported.
    func offset(at second: Int64) -> Int64
}

extension TimeZoneRules {
    /// The local day at this second since 1970.
    func day(at second: Int64) -> CivilDay { CivilDay((second + offset(at: second)).floorDivided(by: 86_400)) }

    /// Returns the first second at which local clocks show this time or a later one.
    ///
    /// So a time that the clocks skip means the moment of the jump, and a time that comes twice the first.
    ///
    /// - Parameter minute: The minute of the day, `0..<1_440`.
    func second(of minute: Int, on day: CivilDay) -> Int64 {
        let wanted = day.number * 86_400 + Int64(minute) * 60
        // In UTC it is less than 18 hours from there, before or after, or at a jump soon after that.
        var start = wanted - 18 * 3_600
        var offset = offset(at: start)
        for _ in 0..<40 {
            let next = start + 3_600
            let nextOffset = self.offset(at: next)
            let change = nextOffset == offset ? next : self.change(after: start, notAfter: next)
            // Until `change` the offset is the same. If the clocks jumped over the time, `start` is the jump.
            let found = max(start, wanted - offset)
            if found < change { return found }
            (start, offset) = (change, nextOffset)
        }
        return max(start, wanted - offset)
    }

    /// Returns the second of the change of the offset between two seconds.
    private func change(after earlier: Int64, notAfter later: Int64) -> Int64 {
        let old = offset(at: earlier)
        var (same, other) = (earlier, later)
        while other - same > 1 {
            let middle = same + (other - same) / 2
            if offset(at: middle) == old { same = middle } else { other = middle }
        }
        return other
    }
}

/// A day of the Gregorian calendar in local time.
package struct CivilDay: Hashable, Sendable, Comparable {
    /// The days since 1970-01-01.
    let number: Int64

    init(_ number: Int64) { self.number = number }

    /// 1970-01-01 was a Thursday.
    var weekday: Weekday { Weekday.allCases[Int((number + 3).floorRemainder(by: 7))] }

    package static func < (left: CivilDay, right: CivilDay) -> Bool { left.number < right.number }

    static func + (day: CivilDay, days: Int64) -> CivilDay { CivilDay(day.number + days) }
}

package enum Weekday: String, Hashable, Sendable, CaseIterable {
    case mon, tue, wed, thu, fri, sat, sun
}

extension Int64 {
    func quotientAndFloorRemainder(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    func floorDivided(by divisor: Int64) -> Int64 { quotientAndFloorRemainder(by: divisor).quotient }

    func floorRemainder(by divisor: Int64) -> Int64 { quotientAndFloorRemainder(by: divisor).remainder }
}
