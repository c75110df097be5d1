// SPDX-License-Identifier: Apache-2.0

/// The requested brightness of a display, as a fraction of its own range.
///
/// - `0` is the dimmest step the device offers (not off), `1` its maximum.
/// - Not a luminance: two displays at `0.5` need not look alike.
package struct Brightness: Hashable, Sendable {
    package let fraction: Double

    /// Returns `nil` outside `0...1` and for NaN.
    package init?(fraction: Double) {
        guard (0...1).contains(fraction) else { return nil }
        // Adding zero takes the sign from a negative zero.
        self.fraction = fraction + 0
    }

    /// The nearest brightness to any number; NaN becomes `0`.
    package init(clamping fraction: Double) {
        self.fraction = fraction > 0 ? min(fraction, 1) : 0
    }

    package static let full = Brightness(clamping: 1)
}

extension Brightness: Comparable {
    package static func < (left: Brightness, right: Brightness) -> Bool { left.fraction < right.fraction }
}
