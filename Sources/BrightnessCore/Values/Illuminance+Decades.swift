// SPDX-License-Identifier: Apache-2.0

extension Illuminance {
    /// The light as people see it, who notice its logarithm: `log10(1 + lux)`. 0 in the dark, about 2.5 in an office, 5 in
    /// the sun.
    package var decades: Double { Self.log2(1 + lux) / Self.log2Of10 }

    private static let log2Of10 = log2(10)

    /// The standard library has no logarithm: the exponent, and a series for the rest.
    ///
    /// ln(m) = 2 artanh(z) with z = (m - 1) / (m + 1), which is at most 1/3 for a significand.
    private static func log2(_ number: Double) -> Double {
        let z = (number.significand - 1) / (number.significand + 1)
        let square = z * z
        var (power, sum, divisor) = (z, 0.0, 1.0)
        while divisor < 35 {
            sum += power / divisor
            power *= square
            divisor += 2
        }
        return Double(number.exponent) + 2 * sum / 0.693_147_180_559_945_3
    }
}
