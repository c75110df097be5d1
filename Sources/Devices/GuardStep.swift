// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension BrightnessRange {
    /// The lowest step that is written to a panel, given as a fraction of `maximum`.
    ///
    /// It is rounded up, and at least 1 (many panels go dark at step 0), but never above `maximum`.
    package static func guardStep(for minimum: Brightness, maximum: Int) -> Int {
        // 0.07 * 100 is a hair above 7, and means 7.
        let step = (minimum.fraction * Double(maximum) - 1e-6).rounded(.up)
        return min(max(1, Int(step)), maximum)
    }

    /// The steps of a device that is guarded so; `nil` unless `1 <= maximum <= Int32.max`.
    init?(guardedAt minimum: Brightness, maximum: Int) {
        self.init(minimum: Self.guardStep(for: minimum, maximum: maximum), maximum: maximum)
    }
}
