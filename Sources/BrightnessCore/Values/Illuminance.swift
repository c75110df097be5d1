// SPDX-License-Identifier: Apache-2.0

/// The light that falls on a sensor, in lux.
package struct Illuminance: Hashable, Sendable, Comparable {
    /// The highest reading that counts, in lux. Direct sunlight is 130,000 lux.
    package static let brightest = 200_000.0

    package let lux: Double

    /// Returns `nil` below 0, for NaN and for infinity.
    package init?(lux: Double) {
        guard lux >= 0, lux.isFinite else { return nil }
        self.lux = lux + 0
    }

    package static func < (left: Illuminance, right: Illuminance) -> Bool { left.lux < right.lux }

    /// The perceived brightness of the light, 0…1, on a logarithmic scale, because the eye perceives ratios.
    ///
    /// 0 is darkness, 0.5 is a lit room at about 300 lux, 1 is daylight from 100,000 lux on: `log10(1 + lux) / 5`.
    var level: Double { min(1, Self.log2(1 + lux) * 0.301_029_995_663_981_2 / 5) }

    /// The binary logarithm of a number of at least 1, exact to nine decimals; the core has no C library.
    private static func log2(_ number: Double) -> Double {
        // ln(m) = 2 artanh((m - 1) / (m + 1)), whose series is short for 1 ≤ m < 2.
        let z = (number.significand - 1) / (number.significand + 1)
        var (power, sum) = (z, 0.0)
        for divisor in stride(from: 1.0, through: 19, by: 2) {
            sum += power / divisor
            power *= z * z
        }
        return Double(number.exponent) + 2 * sum * 1.442_695_040_888_963_4
    }

    /// The illuminance with three significant digits, which exceeds the accuracy of sensors: 1,003 lux become 1,000.
    package var rounded: Illuminance {
        var unit = 0.01
        while lux >= unit * 1_000 { unit *= 10 }
        let rounded = unit < 1 ? (lux * (1 / unit)).rounded() / (1 / unit) : (lux / unit).rounded() * unit
        return Illuminance(lux: rounded) ?? self
    }
}
