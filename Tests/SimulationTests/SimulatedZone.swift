// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport

@testable import BrightnessCore

/// The local time of a story: clocks that change once, a place on earth, and the times at which rules are in force
/// there. Shares no code with the planner but the sun's times of a day. In minutes since 1970.
struct SimulatedZone: TimeZoneRules {
    static let day = 1_440
    /// The longest interval by the sun.
    private static let longest = 26 * 60

    /// When the clocks change, and by how many minutes they are ahead of UTC before and after that.
    private let (change, before, after): (Int, Int, Int)
    let place: Location

    /// Clocks change within hours of the beginning of the story in two of three; some places are near the poles.
    init(_ random: inout SplitMix) {
        before = 60 * random.number(-11...12)
        after = before + random.one(of: [0, 60, -60])
        change = Int(Moment.start.wall.milliseconds / 60_000) + random.number(-120...600)
        let latitude = random.chance(50) ? random.number(-60...60) * 100 : random.number(6_600...7_200)
        let sign = random.chance(50) ? 0.01 : -0.01
        place = Location(latitude: Double(latitude) * sign, longitude: Double(before) / 4)!
    }

    func offset(at second: Int64) -> Int64 { 60 * Int64(second < Int64(change) * 60 ? before : after) }

    func local(_ minute: Int) -> Int { minute + (minute < change ? before : after) }

    /// The first minute at which clocks show this minute of a local day, or a later one.
    private func minute(of minute: Int, on day: Int) -> Int {
        let local = day * Self.day + minute
        return local - before < change ? local - before : max(change, local - after)
    }

    func sun(_ event: SunEvent, on day: Int) -> (minute: Int, polar: PolarDay?) {
        let (second, polar) = place.second(of: event, near: Int64(minute(of: 720, on: day)) * 60)
        return (Int((second + 30).floorDivided(by: 60)), polar)
    }

    private func time(_ time: ScheduleTime, on day: Int) -> (minute: Int, polar: PolarDay?) {
        switch time {
        case .clock(let minute): return (self.minute(of: minute, on: day), nil)
        case .sun(let event, let offset):
            let (minute, polar) = sun(event, on: day)
            return (minute + offset, polar)
        }
    }

    /// The beginning of a rule's interval in force; `nil` if none is.
    func begin(of rule: ExpectedHolders.Rule, at wall: Int) -> Int? {
        if rule.isPaused { return nil }
        let now = wall / 60_000
        let today = local(now) / Self.day
        let begun = [1, 0, -1, -2].lazy.compactMap { interval(of: rule, on: today + $0) }.first { $0.contains(now) }
        return begun?.lowerBound
    }

    private func interval(of rule: ExpectedHolders.Rule, on day: Int) -> Range<Int>? {
        let (begin, polar) = time(rule.from, on: day)
        // Nothing sets on a polar day, and nothing rises in a polar night.
        let isMissing =
            if case .sun(let event, _) = rule.from { polar == (event == .sunset ? .day : .night) } else { false }
        guard rule.days.contains((day + 3) % 7), !isMissing else { return nil }
        if case (.clock(let from), .clock(let to)) = (rule.from, rule.to) {
            let end = minute(of: to, on: to > from ? day : day + 1)
            // A baseline whose interval is skipped is set when the clocks change.
            return begin == end ? rule.kind == nil ? begin..<begin + 1 : nil : begin..<end
        }
        let ends = (-1...2).map { time(rule.to, on: day + $0) }
        guard let place = ends.firstIndex(where: { $0.minute > begin }) else { return nil }
        // The night before weeks of light is over at midnight.
        let isOfSunrise = if case .sun(.sunrise, _) = rule.to { true } else { false }
        let isLight =
            isOfSunrise && ends[..<place].contains { $0.polar == .day && begin - $0.minute < Self.longest / 2 }
        let end = ends[place].minute
        return isLight || end - begin > Self.longest ? nil : begin..<end
    }

    /// Whether the sun is certainly down, or certainly up, by its height; `nil` near the horizon.
    func isNight(at wall: Int) -> Bool? {
        let days = Double(wall) / 86_400_000
        // The first day is 1 January 1970.
        let declination = -23.44 * cos((days + 10) * 2 * .pi / 365.2425) * .pi / 180
        let hour = (days * 24 + place.longitude / 15 - 12) * .pi / 12
        let latitude = place.latitude * .pi / 180
        let sine = sin(latitude) * sin(declination) + cos(latitude) * cos(declination) * cos(hour)
        let height = asin(sine) * 180 / .pi + 0.833
        // The sun is up to 16 minutes early or late, and up to a degree higher or lower.
        return abs(height) < 5 ? nil : height < 0
    }
}
