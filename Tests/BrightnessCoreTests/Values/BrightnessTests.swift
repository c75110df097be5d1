// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct BrightnessTests {
    @Test(arguments: [0, 0.001, 0.42, 1, Double.leastNonzeroMagnitude, 1.0.nextDown])
    func `every fraction of the range is valid`(fraction: Double) throws {
        #expect(try #require(Brightness(fraction: fraction)).fraction == fraction)
    }

    @Test(arguments: [-0.001, 1.0.nextUp, 2, -1, .infinity, -.infinity, .nan, .signalingNaN, -.leastNonzeroMagnitude])
    func `values outside the range and NaN are rejected`(fraction: Double) {
        #expect(Brightness(fraction: fraction) == nil)
    }

    @Test(arguments: [
        (0.42, 0.42), (0, 0), (1, 1), (1.5, 1), (-0.5, 0), (.infinity, 1), (-.infinity, 0), (.nan, 0),
        (-.leastNonzeroMagnitude, 0),
    ])
    func `any number is clamped to the nearest brightness`(number: Double, fraction: Double) {
        #expect(Brightness(clamping: number).fraction == fraction)
    }

    @Test func `zero has no sign, so it is printed without one`() {
        #expect(Brightness(clamping: -0.0).fraction.sign == .plus)
        #expect(Brightness(fraction: -0.0)?.fraction.sign == .plus)
    }

    @Test func `brightness is ordered by its fraction`() {
        let shuffled: [Brightness] = [.at(0.7), .full, .at(0), .at(0.3)]
        #expect(shuffled.sorted().map(\.fraction) == [0, 0.3, 0.7, 1])
        #expect(Brightness.full.fraction == 1)
    }
}
