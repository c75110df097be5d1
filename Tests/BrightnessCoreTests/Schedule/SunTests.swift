// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

/// Sunrise and sunset in UTC by an independent ephemeris, with the definition of the almanacs of the U.S. Naval
/// Observatory: the upper edge of the sun at the horizon, 34 minutes of arc of refraction. `nil` is polar day or night.
private let almanac: [(place: String, latitude: Double, longitude: Double, day: String, rise: String?, set: String?)] =
    [
        ("Berlin", 52.52, 13.405, "2026-03-20", "2026-03-20T05:09Z", "2026-03-20T17:19Z"),
        ("Berlin", 52.52, 13.405, "2026-06-21", "2026-06-21T02:43Z", "2026-06-21T19:33Z"),
        ("Berlin", 52.52, 13.405, "2026-09-23", "2026-09-23T04:54Z", "2026-09-23T17:03Z"),
        ("Berlin", 52.52, 13.405, "2026-12-21", "2026-12-21T07:15Z", "2026-12-21T14:54Z"),
        ("London", 51.5074, -0.1278, "2026-03-20", "2026-03-20T06:03Z", "2026-03-20T18:14Z"),
        ("London", 51.5074, -0.1278, "2026-06-21", "2026-06-21T03:43Z", "2026-06-21T20:22Z"),
        ("London", 51.5074, -0.1278, "2026-09-23", "2026-09-23T05:48Z", "2026-09-23T17:57Z"),
        ("London", 51.5074, -0.1278, "2026-12-21", "2026-12-21T08:04Z", "2026-12-21T15:53Z"),
        ("New York", 40.7128, -74.006, "2026-03-20", "2026-03-20T10:59Z", "2026-03-20T23:08Z"),
        ("New York", 40.7128, -74.006, "2026-06-21", "2026-06-21T09:25Z", "2026-06-22T00:31Z"),
        ("New York", 40.7128, -74.006, "2026-09-23", "2026-09-23T10:45Z", "2026-09-23T22:51Z"),
        ("New York", 40.7128, -74.006, "2026-12-21", "2026-12-21T12:17Z", "2026-12-21T21:32Z"),
        ("Quito", -0.1807, -78.4678, "2026-03-20", "2026-03-20T11:18Z", "2026-03-20T23:24Z"),
        ("Quito", -0.1807, -78.4678, "2026-06-21", "2026-06-21T11:12Z", "2026-06-21T23:19Z"),
        ("Quito", -0.1807, -78.4678, "2026-09-23", "2026-09-23T11:03Z", "2026-09-23T23:09Z"),
        ("Quito", -0.1807, -78.4678, "2026-12-21", "2026-12-21T11:08Z", "2026-12-21T23:16Z"),
        ("Singapore", 1.3521, 103.8198, "2026-03-20", "2026-03-19T23:09Z", "2026-03-20T11:15Z"),
        ("Singapore", 1.3521, 103.8198, "2026-06-21", "2026-06-20T23:00Z", "2026-06-21T11:12Z"),
        ("Singapore", 1.3521, 103.8198, "2026-09-23", "2026-09-22T22:54Z", "2026-09-23T11:00Z"),
        ("Singapore", 1.3521, 103.8198, "2026-12-21", "2026-12-20T23:01Z", "2026-12-21T11:04Z"),
        ("Sydney", -33.8688, 151.2093, "2026-03-20", "2026-03-19T19:58Z", "2026-03-20T08:07Z"),
        ("Sydney", -33.8688, 151.2093, "2026-06-21", "2026-06-20T21:00Z", "2026-06-21T06:54Z"),
        ("Sydney", -33.8688, 151.2093, "2026-09-23", "2026-09-22T19:44Z", "2026-09-23T07:52Z"),
        ("Sydney", -33.8688, 151.2093, "2026-12-21", "2026-12-20T18:41Z", "2026-12-21T09:05Z"),
        ("Cape Town", -33.9249, 18.4241, "2026-03-20", "2026-03-20T04:49Z", "2026-03-20T16:58Z"),
        ("Cape Town", -33.9249, 18.4241, "2026-06-21", "2026-06-21T05:51Z", "2026-06-21T15:45Z"),
        ("Cape Town", -33.9249, 18.4241, "2026-09-23", "2026-09-23T04:35Z", "2026-09-23T16:43Z"),
        ("Cape Town", -33.9249, 18.4241, "2026-12-21", "2026-12-21T03:32Z", "2026-12-21T17:57Z"),
        ("Ushuaia", -54.8019, -68.303, "2026-03-20", "2026-03-20T10:35Z", "2026-03-20T22:46Z"),
        ("Ushuaia", -54.8019, -68.303, "2026-06-21", "2026-06-21T12:59Z", "2026-06-21T20:11Z"),
        ("Ushuaia", -54.8019, -68.303, "2026-09-23", "2026-09-23T10:19Z", "2026-09-23T22:33Z"),
        ("Ushuaia", -54.8019, -68.303, "2026-12-21", "2026-12-21T07:51Z", "2026-12-22T01:11Z"),
        ("Tromso", 69.6492, 18.9553, "2026-03-20", "2026-03-20T04:44Z", "2026-03-20T17:02Z"),
        ("Tromso", 69.6492, 18.9553, "2026-06-21", nil, nil),
        ("Tromso", 69.6492, 18.9553, "2026-09-23", "2026-09-23T04:28Z", "2026-09-23T16:43Z"),
        ("Tromso", 69.6492, 18.9553, "2026-12-21", nil, nil),
        ("Apia", -13.8333, -171.7667, "2026-03-20", "2026-03-20T17:31Z", "2026-03-21T05:37Z"),
        ("Apia", -13.8333, -171.7667, "2026-06-21", "2026-06-21T17:50Z", "2026-06-22T05:08Z"),
        ("Apia", -13.8333, -171.7667, "2026-09-23", "2026-09-23T17:16Z", "2026-09-24T05:23Z"),
        ("Apia", -13.8333, -171.7667, "2026-12-21", "2026-12-21T16:57Z", "2026-12-22T05:54Z"),
        ("McMurdo", -77.8419, 166.6863, "2026-03-20", "2026-03-19T18:39Z", "2026-03-20T07:19Z"),
        ("McMurdo", -77.8419, 166.6863, "2026-06-21", nil, nil),
        ("McMurdo", -77.8419, 166.6863, "2026-09-23", "2026-09-22T18:32Z", "2026-09-23T07:04Z"),
        ("McMurdo", -77.8419, 166.6863, "2026-12-21", nil, nil),
    ]

struct SunTests {
    @Test(arguments: almanac.indices)
    func `sunrise and sunset are those of the almanac to two minutes`(row: Int) throws {
        let entry = almanac[row]
        let location = try #require(Location(latitude: entry.latitude, longitude: entry.longitude))
        let noon = try #require(second("\(entry.day)T12:00Z")) - Int64(entry.longitude * 240)
        for (event, text) in [(SunEvent.sunrise, entry.rise), (.sunset, entry.set)] {
            let found = location.second(of: event, near: noon)
            guard let text else {
                #expect(found.polar != nil, "\(entry.place) has no \(event)")
                continue
            }
            #expect(found.polar == nil)
            let expected = try #require(second(text))
            #expect(abs(found.second - expected) <= 120, "\(event) at \(entry.place)")
        }
    }

    /// Astral's documentation: London on 2009-04-22, 05:49:36 and 20:09:08 British Summer Time.
    @Test func `sunrise in London is that of a published example`() throws {
        let london = try #require(Location(latitude: 51.5, longitude: -0.12))
        let noon = try #require(second("2009-04-22T12:00Z"))
        let (rise, set) = (try #require(second("2009-04-22T04:50Z")), try #require(second("2009-04-22T19:09Z")))
        #expect(abs(london.second(of: .sunrise, near: noon).second - rise) <= 90)
        #expect(abs(london.second(of: .sunset, near: noon).second - set) <= 90)
    }

    @Test func `no place is outside the globe`() {
        #expect(Location(latitude: 90.1, longitude: 0) == nil)
        #expect(Location(latitude: 0, longitude: -180.1) == nil)
        #expect(Location(latitude: .nan, longitude: 0) == nil)
        #expect(Location(latitude: -90, longitude: 180) != nil)
    }

    @Test(arguments: [-90.0, 90])
    func `the poles have at most one sunrise a year`(latitude: Double) throws {
        let pole = try #require(Location(latitude: latitude, longitude: 0))
        let start = try #require(second("2026-01-01T12:00Z"))
        let days = (0..<365).filter { pole.second(of: .sunrise, near: start + $0 * 86_400).polar == nil }
        #expect(days.count <= 2)
    }
}

/// Reads `2026-06-21T02:43Z` in seconds since 1970.
private func second(_ text: String) -> Int64? {
    let numbers = text.split { !$0.isNumber }.compactMap { Int64($0) }
    guard numbers.count == 5 else { return nil }
    let months: [Int64] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
    let year = numbers[0]
    let isLeap = year % 4 == 0 && year % 100 != 0
    let leapDays = (year - 1969) / 4
    let day = (year - 1970) * 365 + leapDays + months[Int(numbers[1] - 1)] + numbers[2] - 1
    return (day + (isLeap && numbers[1] > 2 ? 1 : 0)) * 86_400 + numbers[3] * 3_600 + numbers[4] * 60
}
