// SPDX-License-Identifier: Apache-2.0
import RealModule

/// The relation of a display's brightness, which people choose, to the level of its panel. Both are fractions: of what
/// people may choose, and of the panel's range.
///
/// Strictly rising, and exact at its points.
package enum PanelCurve: Hashable, Sendable {
    /// Equal to the panel's level.
    case linear
    /// Equal differences of brightness look equal on a panel whose steps are linear in light.
    ///
    /// - SeeAlso: CIE 15:2018, the lightness L*
    case perceptual
    case points(Points)

    /// Straight lines between 2 to `limit` points. The levels of the first and the last one are the range in use.
    package struct Points: Hashable, Sendable {
        package static let limit = 32

        package struct Point: Hashable, Sendable {
            package let brightness: Double
            package let level: Double

            package init(_ brightness: Double, _ level: Double) { (self.brightness, self.level) = (brightness, level) }
        }

        package let all: [Point]

        /// Returns `nil` unless the brightness rises from 0 to 1, and the level rises within 0 to 1.
        package init?(_ points: [Point]) {
            guard (2...Self.limit).contains(points.count), points[0].brightness == 0, points.last?.brightness == 1,
                zip(points, points.dropFirst()).allSatisfy({ $0.brightness < $1.brightness && $0.level < $1.level }),
                points.allSatisfy({ (0...1).contains($0.level) })
            else { return nil }
            all = points
        }

        fileprivate typealias Axis = KeyPath<Point, Double>

        /// Returns `y` where `x` is `value`: a point's own one there, and constant outside the points.
        fileprivate func value(_ y: Axis, where x: Axis, is value: Double) -> Double {
            guard let above = all.firstIndex(where: { $0[keyPath: x] > value }) else {
                return all[all.count - 1][keyPath: y]
            }
            guard above > 0 else { return all[0][keyPath: y] }
            let (less, more) = (all[above - 1], all[above])
            let passed = (value - less[keyPath: x]) / (more[keyPath: x] - less[keyPath: x])
            return less[keyPath: y] + (more[keyPath: y] - less[keyPath: y]) * passed
        }
    }

    /// The level of a panel for a brightness from 0 to 1.
    func level(of brightness: Double) -> Double {
        switch self {
        case .linear: brightness
        case .perceptual: Self.light(ofLightness: brightness)
        case .points(let points): points.value(\.level, where: \.brightness, is: brightness)
        }
    }

    /// The brightness of a level from 0 to 1: that of the nearest end outside the range in use.
    func brightness(of level: Double) -> Double {
        switch self {
        case .linear: level
        case .perceptual: Self.lightness(ofLight: level)
        case .points(let points): points.value(\.brightness, where: \.level, is: level)
        }
    }

    /// Where CIE's curve is straight: up to this lightness, with this slope.
    private static let straight = (upTo: 0.08, slope: 2_700.0 / 24_389)

    private static func light(ofLightness lightness: Double) -> Double {
        guard lightness > straight.upTo else { return lightness * straight.slope }
        let root = (100 * lightness + 16) / 116
        return root * root * root
    }

    private static func lightness(ofLight light: Double) -> Double {
        guard light > straight.upTo * straight.slope else { return light / straight.slope }
        return (116 * Double.root(light, 3) - 16) / 100
    }
}

/// The forms of a curve as text: `linear`, `perceptual`, `0:3,50:30,100:80`.
extension PanelCurve {
    /// - Parameter unit: The number that stands for 1: 100 for percent.
    package init?(_ text: String, per unit: Double = 100) {
        switch text {
        case "linear": self = .linear
        case "perceptual": self = .perceptual
        default:
            var points: [Points.Point] = []
            for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
                let numbers = pair.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
                guard numbers.count == 2, let brightness = numbers[0], let level = numbers[1] else { return nil }
                points.append(Points.Point(brightness / unit, level / unit))
            }
            guard let points = Points(points) else { return nil }
            self = .points(points)
        }
    }

    /// - Parameter unit: As above.
    package func text(per unit: Double = 100) -> String {
        switch self {
        case .linear: "linear"
        case .perceptual: "perceptual"
        case .points(let points):
            points.all.map { "\(Self.text($0.brightness, unit)):\(Self.text($0.level, unit))" }.joined(separator: ",")
        }
    }

    /// Without the last digits, which the unit makes up: 0.07 of 100 is 7.000000000000001.
    private static func text(_ number: Double, _ unit: Double) -> String {
        let scaled = unit == 1 ? number : (number * unit * 1e6).rounded() / 1e6
        let text = "\(scaled)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
