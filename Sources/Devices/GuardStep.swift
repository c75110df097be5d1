// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension BrightnessRange {
    /// The lowest step that is written to a panel, given as a fraction of `maximum`.
    ///
    /// It is rounded up, and never above `maximum`.
    ///
    /// - Parameter lowest: The least it is: 1 for panels, since many go dark at step 0, and 0 for lights that people switch off.
    package static func guardStep(for minimum: Brightness, maximum: Int, lowest: Int = 1) -> Int {
        // 0.07 * 100 is a hair above 7, and means 7.
        let step = (minimum.fraction * Double(maximum) - 1e-6).rounded(.up)
        return min(max(lowest, Int(step)), maximum)
    }

    /// The steps of a device that is guarded so; `nil` unless `1 <= maximum <= Int32.max`.
    init?(guardedAt minimum: Brightness, maximum: Int, lowest: Int = 1) {
        self.init(minimum: Self.guardStep(for: minimum, maximum: maximum, lowest: lowest), maximum: maximum)
    }
}
