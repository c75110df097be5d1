// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Testing

@Suite struct MinimumStepTests {
    static let guards: [(fraction: Double, maximum: Int, step: Int)] = [
        (0, 1, 1), (0, 15, 1), (0, 65_535, 1),
        (0.05, 1, 1), (0.05, 15, 1), (0.05, 100, 5), (0.05, 65_535, 3_277),
        (0.07, 100, 7), (0.29, 100, 29), (0.1, 960, 96), (0.001, 255, 1), (0.5, 15, 8),
        (1, 1, 1), (1, 960, 960), (1, Int(Int32.max), Int(Int32.max)),
    ]

    @Test(arguments: guards)
    func `the guard is rounded up, at least 1 and never above the maximum`(fraction: Double, maximum: Int, step: Int) {
        #expect(BrightnessRange.minimumStep(for: Brightness(clamping: fraction), maximum: maximum) == step)
    }

    @Test(arguments: [(0, 1, 0), (0, 2, 0), (0, 255, 0), (0.001, 255, 1), (0.2, 255, 51), (0.2, 1, 1)])
    func `a light may be off unless a minimum is configured`(fraction: Double, maximum: Int, step: Int) {
        let minimum = Brightness(clamping: fraction)
        #expect(BrightnessRange.minimumStep(for: minimum, maximum: maximum, lowest: 0) == step)
    }
}
