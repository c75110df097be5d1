// SPDX-License-Identifier: Apache-2.0
internal import RealModule

extension Location {
    /// Returns the second since 1970 of sunrise or sunset, exact to a minute or two below the polar circles. On a day
    /// without a sunset or sunrise it is the noon of a polar night, or the midnight at that end of a polar day.
    ///
    /// - Parameter noon: A second near local noon of the day, within 12 hours of it.
    /// - SeeAlso: NOAA Global Monitoring Laboratory, Solar Calculation Details. Its algorithms follow Jean Meeus,
    ///   Astronomical Algorithms.
    func second(of event: SunEvent, near noon: Int64) -> (second: Int64, polar: PolarDay?) {
        // The day in local mean solar time, counted from 1970. Its noon is the one nearest to `noon`.
        let day = (Double(noon) / 86_400 + longitude / 360).rounded(.down)
        func time(ofMeanDay day: Double) -> Double { (day - longitude / 360) * 86_400 }
        func transit(_ second: Double) -> Int64 {
            Int64((second - SunPosition(at: second).equationOfTime * 60).rounded())
        }
        let meanNoon = time(ofMeanDay: day + 0.5)
        var second = meanNoon
        // The sun moves between noon and the event: each round takes its position at the event of the round before.
        for _ in 0..<3 {
            let sun = SunPosition(at: second)
            let cosine = cosineOfHourAngle(at: sun.declination)
            if cosine > 1 { return (transit(meanNoon), .night) }
            if cosine < -1 { return (transit(time(ofMeanDay: event == .sunrise ? day : day + 1)), .day) }
            let halfDay = Double.acos(cosine) * 180 / .pi * 240
            second = meanNoon - sun.equationOfTime * 60 + (event == .sunrise ? -halfDay : halfDay)
        }
        return (Int64(second.rounded()), nil)
    }

    /// The cosine of the angle by which the earth turns between noon and sunset. Above 1 the sun does not rise, below
    /// -1 it does not set. With the refraction of the air, the upper edge of the sun is at the horizon when its center
    /// is 0.833 degrees below it.
    private func cosineOfHourAngle(at declination: Double) -> Double {
        let (latitude, declination) = (latitude.radians, declination.radians)
        return Double.cos(90.833.radians) / (.cos(latitude) * .cos(declination)) - .tan(latitude) * .tan(declination)
    }
}

/// A day on which the sun does not set, or does not rise.
enum PolarDay {
    case day, night
}

/// The sun as seen from the center of the earth.
private struct SunPosition {
    /// In degrees.
    let declination: Double
    /// By how many minutes the sun is ahead of a mean clock.
    let equationOfTime: Double

    /// - Parameter second: Since 1970.
    init(at second: Double) {
        let century = (second / 86_400 + 2_440_587.5 - 2_451_545) / 36_525
        let meanLongitude = (280.46646 + century * (36_000.76983 + century * 0.0003032)).radians
        let anomaly = (357.52911 + century * (35_999.05029 - 0.0001537 * century)).radians
        let eccentricity = 0.016708634 - century * (0.000042037 + 0.0000001267 * century)
        let center =
            Double.sin(anomaly) * (1.914602 - century * (0.004817 + 0.000014 * century))
            + .sin(2 * anomaly) * (0.019993 - 0.000101 * century) + .sin(3 * anomaly) * 0.000289
        let node = (125.04 - 1_934.136 * century).radians
        let longitude = meanLongitude + (center - 0.00569 - 0.00478 * .sin(node)).radians
        let meanObliquity =
            23 + (26 + (21.448 - century * (46.815 + century * (0.00059 - century * 0.001813))) / 60) / 60
        let obliquity = (meanObliquity + 0.00256 * .cos(node)).radians
        declination = Double.asin(.sin(obliquity) * .sin(longitude)) * 180 / .pi
        let half = Double.tan(obliquity / 2)
        let y = half * half
        let equation =
            y * .sin(2 * meanLongitude) - 2 * eccentricity * .sin(anomaly)
            + 4 * eccentricity * y * .sin(anomaly) * .cos(2 * meanLongitude) - y * y * .sin(4 * meanLongitude) / 2
            - 5 * eccentricity * eccentricity * .sin(2 * anomaly) / 4
        equationOfTime = equation * 180 / .pi * 4
    }
}

extension Double {
    fileprivate var radians: Double { self * .pi / 180 }
}
