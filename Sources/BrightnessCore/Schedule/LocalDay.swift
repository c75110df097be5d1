// SPDX-License-Identifier: Apache-2.0

/// The facts that clients need to draw a day of schedules: the local clock, and the sun of the present local day.
package struct LocalDay: Hashable, Sendable {
    /// Rounded to the minute, which is enough to draw and hides the exact place.
    package struct Sun: Hashable, Sendable {
        /// `nil` on a day on which the sun does not rise.
        package let sunrise: Timestamp?
        /// `nil` on a day on which the sun does not set.
        package let sunset: Timestamp?
    }

    /// By how many seconds local clocks are ahead of UTC.
    package private(set) var utcOffset: Int64 = 0
    /// `nil` if the place is unknown, and while the clock is not set.
    package private(set) var sun: Sun?
}
