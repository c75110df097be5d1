// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct BrightnessRangeTests {
    @Test(arguments: [(0, 1), (1, 1), (0, 255), (96, 960), (120_000, 120_000), (1, Int(Int32.max))])
    func `the minimum may be any step`(minimum: Int, maximum: Int) throws {
        let range = try #require(BrightnessRange(minimum: minimum, maximum: maximum))
        #expect(range.minimum == minimum)
        #expect(range.maximum == maximum)
    }

    @Test(arguments: [(0, 0), (0, -1), (-1, 100), (101, 100), (.min, 1), (0, .min)])
    func `a range without steps and a minimum outside it are rejected`(minimum: Int, maximum: Int) {
        #expect(BrightnessRange(minimum: minimum, maximum: maximum) == nil)
    }

    /// The kernel's `max_brightness` is a C `int`; a fraction of anything near 2^63 would not fit an `Int` again.
    @Test(arguments: [Int.max, Int.max - 1, 1 << 62])
    func `more steps than any device has are rejected`(maximum: Int) {
        #expect(BrightnessRange(maximum: maximum) == nil)
    }

    /// 255, 400, 640, 7,500 and 120,000 are maxima of real panels.
    @Test(arguments: [1, 2, 3, 7, 15, 100, 255, 400, 640, 960, 7_500, 120_000])
    func `every step is recovered from its fraction`(maximum: Int) throws {
        let range = try #require(BrightnessRange(maximum: maximum))
        let lost = (0...maximum).filter { range.step(for: range.brightness(of: $0)) != $0 }
        #expect(lost == [])
    }

    @Test(arguments: [Int(Int32.max) - 1, Int(Int32.max)])
    func `the last steps of the largest range are recovered, too`(step: Int) throws {
        let range = try #require(BrightnessRange(maximum: Int(Int32.max)))
        #expect(range.step(for: range.brightness(of: step)) == step)
    }

    @Test(arguments: [(0, 0), (0.004, 0), (0.005, 1), (0.42, 42), (0.994, 99), (0.995, 100), (1, 100)])
    func `a fraction is rounded to the nearest step`(fraction: Double, step: Int) throws {
        #expect(try #require(BrightnessRange(maximum: 100)).step(for: .at(fraction)) == step)
    }

    @Test(arguments: [(0, 10), (0.05, 10), (0.1, 10), (0.11, 11), (1, 100)])
    func `no step is below the minimum`(fraction: Double, step: Int) throws {
        #expect(try #require(BrightnessRange(minimum: 10, maximum: 100)).step(for: .at(fraction)) == step)
    }

    @Test(arguments: [(-1, 0), (0, 0), (250, 0.25), (1_000, 1), (1_001, 1), (.max, 1), (.min, 0)])
    func `steps outside the range count as the nearest end`(step: Int, fraction: Double) throws {
        #expect(try #require(BrightnessRange(maximum: 1_000)).brightness(of: step) == .at(fraction))
    }

    @Test func `a fraction describes the panel's step, even below the minimum`() throws {
        #expect(try #require(BrightnessRange(minimum: 10, maximum: 100)).brightness(of: 3) == .at(0.03))
    }
}

@Suite(.timeLimit(.minutes(10)))
struct BrightnessMovingTests {
    @Test(arguments: [
        // from, delta, to, of ten steps
        (0.5, 0.1, 0.6), (0.5, -0.1, 0.4), (0.5, 0.23, 0.73),
        (0.5, 0.001, 0.6), (0.5, -0.001, 0.4), (0.52, 0.01, 0.6), (0.48, -0.01, 0.4),
        (0.5, 0, 0.5), (0.52, 0, 0.52),
        (0.95, 0.2, 1), (0.05, -0.2, 0), (1, 0.1, 1), (0, -0.1, 0), (1, 0.001, 1), (0, -0.001, 0),
        (0.5, 7, 1), (0.5, -7, 0), (0.5, .infinity, 1), (0.5, -.infinity, 0),
    ])
    func `a delta moves by at least one step`(from: Double, delta: Double, to: Double) throws {
        let range = try #require(BrightnessRange(maximum: 10))
        let moved = range.moving(.at(from), by: delta)
        #expect(abs(moved.fraction - to) < 1e-12)
    }

    @Test func `a delta that is not a number moves nothing`() throws {
        let range = try #require(BrightnessRange(maximum: 10))
        #expect(range.moving(.at(0.5), by: .nan) == .at(0.5))
    }

    @Test(arguments: [1, 3, 100, 255, 960])
    func `the smallest delta visits every step, up and down`(maximum: Int) throws {
        let range = try #require(BrightnessRange(maximum: maximum))
        var brightness = Brightness.at(0)
        var steps: [Int] = []
        for delta in Array(repeating: 1e-9, count: maximum) + Array(repeating: -1e-9, count: maximum) {
            brightness = range.moving(brightness, by: delta)
            steps.append(range.step(for: brightness))
        }
        #expect(steps == Array(1...maximum) + Array((0..<maximum).reversed()))
    }

    @Test(arguments: [
        (0.5, -0.45, 0.1), (0.12, -0.05, 0.1), (0.104, -0.001, 0.1), (0.1, -0.1, 0.1), (0.1, 0.1, 0.2),
        // Below the minimum.
        (0.03, -0.1, 0.03), (0.03, 0.01, 0.1), (0.03, 0.2, 0.23),
    ])
    func `moving down ends at the minimum, and never moves up`(from: Double, delta: Double, to: Double) throws {
        let range = try #require(BrightnessRange(minimum: 10, maximum: 100))
        #expect(abs(range.moving(.at(from), by: delta).fraction - to) < 1e-12)
    }

    @Test func `a move never ends below the minimum, and leaves it by one step`() throws {
        let range = try #require(BrightnessRange(minimum: 10, maximum: 100))
        let lowest = range.moving(range.moving(.at(0.11), by: -0.01), by: -0.01)
        #expect(range.step(for: lowest) == 10)
        #expect(range.step(for: range.moving(lowest, by: 0.001)) == 11)
    }
}
