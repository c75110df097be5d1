// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite struct BrightnessCurveTests {
    private static let curve = BrightnessCurve("1:0.1,100:0.4,1000:0.8")!

    @Test(arguments: [(0, 0.1), (1, 0.1), (100, 0.4), (1_000, 0.8), (100_000, 0.8)])
    func `a curve passes through its points, and is constant beyond them`(lux: Double, fraction: Double) {
        #expect(abs(Self.curve.brightness(in: .of(lux)).fraction - fraction) < 1e-9)
    }

    @Test func `the middle of two points is the middle of their decades`() {
        let curve = BrightnessCurve("0:0.2,9999:0.6")!
        #expect(abs(curve.brightness(in: .of(99)).fraction - 0.4) < 1e-9)
    }

    @Test(arguments: ["0:0", "0:1", "5:0.3,6:0.3", "0:0.05,10:0.2,100:0.4,500:0.6,2000:0.85,10000:1"])
    func `valid curves are parsed`(text: String) { #expect(BrightnessCurve(text) != nil) }

    private static let tooManyPoints = (0...32).map { "\($0):0.5" }.joined(separator: ",")

    @Test(arguments: [
        "", "1", "1:", ":1", "1:0.5,", "1:0.5:2", "-1:0.5", "1:1.1", "1:nan", "nan:0.5", "inf:0.5", "a:b",
        "1:0.5,1:0.6", "10:0.5,1:0.6", "1:0.5,10:0.4", " 1:0.5",
        Self.tooManyPoints,
    ])
    func `invalid curves are rejected`(text: String) { #expect(BrightnessCurve(text) == nil) }

    // MARK: Learning

    @Test(arguments: [(0, 0.3), (1, 0), (50, 0.9), (100, 0.1), (101, 0.41), (3_000, 1), (100_000, 0.05)])
    func `a learned curve passes exactly through the lesson`(lux: Double, fraction: Double) {
        let learned = Self.curve.learning(.of(lux, fraction))
        #expect(learned.brightness(in: .of(lux)) == .at(fraction))
    }

    /// Up by 0.2 at 99 lux, two decades.
    @Test(arguments: [(99, 0.2), (999, 0.1), (9, 0.1), (9_999, 0), (0, 0), (99_999, 0)])
    func `a lesson affects other light less, and light two decades away not at all`(lux: Double, offset: Double) {
        let curve = BrightnessCurve("0:0,99999:0.5")!
        let before = curve.brightness(in: .of(lux)).fraction
        let learned = curve.learning(.of(99, 0.4)).brightness(in: .of(lux)).fraction
        #expect(abs(learned - before - offset) < 1e-9)
    }

    @Test func `two lessons in different light both hold`() {
        let learned = Self.curve.learning(.of(2, 0.02)).learning(.of(5_000, 1))
        #expect(abs(learned.brightness(in: .of(2)).fraction - 0.02) < 1e-9)
        #expect(learned.brightness(in: .of(5_000)) == .full)
    }

    @Test(arguments: 0..<200)
    func `learned curves never fall with more light, and stay within the range`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var curve = BrightnessCurve.default
        for _ in 0..<30 {
            let lesson = BrightnessCurve.Point.of(100_000 * random.fraction() * random.fraction(), random.fraction())
            curve = curve.learning(lesson)
            #expect(curve.brightness(in: lesson.illuminance) == lesson.brightness)
        }
        var last = 0.0
        for step in 0...600 {
            let fraction = curve.brightness(in: .of(100_000 * Double(step * step) / 360_000)).fraction
            #expect(fraction >= last - 1e-12 && fraction <= 1)
            last = fraction
        }
    }
}
