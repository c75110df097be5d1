// SPDX-License-Identifier: Apache-2.0

/// The brightness of a display as a function of the light: a few points, interpolated linearly over the light's
/// logarithm.
///
/// Never decreases with more light.
package struct BrightnessCurve: Sendable {
    package struct Point: Hashable, Sendable {
        package let illuminance: Illuminance
        package let brightness: Brightness

        package init(_ illuminance: Illuminance, _ brightness: Brightness) {
            self.illuminance = illuminance
            self.brightness = brightness
        }
    }

    /// The maximum number of points.
    static let limit = 32

    /// From a dark room to full sun.
    package static let `default` = BrightnessCurve(defaultText)!
    package static let defaultText = "0:0.05,10:0.2,100:0.4,500:0.6,2000:0.85,10000:1"

    /// A point where the line bends. `level` is an `Illuminance.level`.
    private struct CurvePoint {
        let level: Double
        var fraction: Double
    }

    /// Sorted by level.
    private var curve: [CurvePoint]

    /// Returns `nil` unless there are 1 to `limit` points with ascending light and non-descending brightness.
    init?(_ points: [Point]) {
        guard (1...Self.limit).contains(points.count) else { return nil }
        for (less, more) in zip(points, points.dropFirst()) {
            guard less.illuminance < more.illuminance, less.brightness <= more.brightness else { return nil }
        }
        curve = points.map { CurvePoint(level: $0.illuminance.level, fraction: $0.brightness.fraction) }
    }

    /// Parses `lux:fraction,…`, such as `1:0.1,100:0.4,1000:0.8`.
    package init?(_ text: String) {
        var points: [Point] = []
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let numbers = pair.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
            guard numbers.count == 2, let lux = numbers[0].flatMap({ Illuminance(lux: $0) }),
                let brightness = numbers[1].flatMap({ Brightness(fraction: $0) })
            else { return nil }
            points.append(Point(lux, brightness))
        }
        self.init(points)
    }

    /// Constant below the first point and above the last.
    package func brightness(in light: Illuminance) -> Brightness { Brightness(clamping: fraction(at: light.level)) }

    private func fraction(at level: Double) -> Double {
        guard let above = curve.firstIndex(where: { $0.level > level }) else { return curve[curve.count - 1].fraction }
        guard above > 0 else { return curve[0].fraction }
        let (less, more) = (curve[above - 1], curve[above])
        return less.fraction + (more.fraction - less.fraction) * (level - less.level) / (more.level - less.level)
    }

    // MARK: Learning

    /// The reach of a lesson, two decades of light: a choice in the dark does not concern the sun.
    private static let reach = 0.4
    /// Points nearer than this to a lesson are removed.
    private static let width = 0.01

    /// Returns the curve through a person's choice. The offset to this curve decreases linearly with the distance to
    /// the lesson.
    func learning(_ lesson: Point) -> BrightnessCurve {
        let level = lesson.illuminance.level
        let wanted = lesson.brightness.fraction
        let offset = wanted - fraction(at: level)
        var levels = curve.map(\.level).filter { abs($0 - level) > Self.width }
        // The lines bend at the lesson, and at the ends of its reach.
        for bend in [level - Self.reach, level, level + Self.reach] where bend >= 0 && !levels.contains(bend) {
            levels.append(bend)
        }
        var learned = self
        learned.curve = levels.sorted().map { other in
            let nearness = max(0, 1 - abs(other - level) / Self.reach)
            let moved = other == level ? wanted : fraction(at: other) + offset * nearness
            return CurvePoint(level: other, fraction: min(max(moved, 0), 1))
        }
        learned.keepRising(from: level)
        return learned
    }

    /// Keeps the curve from falling where it is nearly flat and the offset decreases: the lesson at `level` wins.
    private mutating func keepRising(from level: Double) {
        guard let middle = curve.firstIndex(where: { $0.level == level }) else { return }
        for index in curve.indices.dropFirst(middle + 1) {
            curve[index].fraction = max(curve[index].fraction, curve[index - 1].fraction)
        }
        for index in curve.indices.prefix(middle).reversed() {
            curve[index].fraction = min(curve[index].fraction, curve[index + 1].fraction)
        }
    }
}
