// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension BrightnessRange {
    /// The lowest step that is written to a panel: `minimum` of `maximum`, rounded up.
    ///
    /// - Parameter lowest: The lowest result: 1 for panels, since many turn dark at step 0, and 0 for lights.
    package static func minimumStep(for minimum: Brightness, maximum: Int, lowest: Int = 1) -> Int {
        // 0.07 * 100 is slightly above 7 and means 7.
        let step = (minimum.fraction * Double(maximum) - 1e-6).rounded(.up)
        return min(max(lowest, Int(step)), maximum)
    }

    /// The range of a device with this minimum; `nil` unless `1 <= maximum <= Int32.max`.
    init?(minimumFraction minimum: Brightness, maximum: Int, lowest: Int = 1) {
        self.init(minimum: Self.minimumStep(for: minimum, maximum: maximum, lowest: lowest), maximum: maximum)
    }
}
