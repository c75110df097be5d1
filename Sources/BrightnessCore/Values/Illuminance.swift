// SPDX-License-Identifier: Apache-2.0

/// The light that falls on a sensor, in lux.
package struct Illuminance: Hashable, Sendable, Comparable {
    /// The most lux that a reading may have to count. Direct sunlight is 130,000 lux.
    package static let brightest = 200_000.0

    package let lux: Double

    /// Returns `nil` below 0, for NaN and for infinity.
    package init?(lux: Double) {
        guard lux >= 0, lux.isFinite else { return nil }
        self.lux = lux + 0
    }

    package static func < (left: Illuminance, right: Illuminance) -> Bool { left.lux < right.lux }
}
