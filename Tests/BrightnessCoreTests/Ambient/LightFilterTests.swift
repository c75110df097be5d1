// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// The light that a filter settles on, in a room with 320 lux.
private struct Readings {
    var filter = LightFilter()
    private(set) var settled: [Double] = []

    /// Reads the light at this time. Adds each new settled value.
    mutating func read(_ lux: Double?, at milliseconds: Int) {
        filter.receive(lux, at: Moment.after(.milliseconds(milliseconds)).instant)
        if let lux = filter.settled?.lux, lux != settled.last { settled.append(lux) }
    }
}

@Suite struct LightFilterTests {
    @Test(arguments: [800, 900, 1_000, 1_100, 1_200], [0, 100, 200, 300, 400, 499])
    func `a reflection of about a second changes nothing`(duration: Int, phase: Int) {
        var readings = Readings()
        let reflection = 5_000 + phase..<5_000 + phase + duration
        for time in stride(from: 0, to: 15_000, by: 500) {
            readings.read(reflection.contains(time) ? 8_000 : 320, at: time)
        }
        #expect(readings.settled == [320])
    }

    @Test func `a reflection changes nothing when the sensor does not answer afterwards`() {
        var readings = Readings()
        for time in stride(from: 0, to: 15_000, by: 500) {
            let lux: Double? = time < 5_000 ? 320 : time < 6_000 ? 8_000 : time < 9_000 ? nil : 320
            readings.read(lux, at: time)
        }
        #expect(readings.settled == [320])
    }

    @Test(arguments: [500, 5_000])
    func `more light counts after 1.5 s, or at the second reading of a slow sensor`(interval: Int) {
        var readings = Readings()
        let (on, count) = (8 * interval, max(1, 1_500 / interval))
        for time in stride(from: 0, to: on + count * interval, by: interval) {
            readings.read(time < on ? 320 : 8_000, at: time)
        }
        #expect(readings.settled == [320])
        readings.read(8_000, at: on + count * interval)
        #expect(readings.settled == [320, 8_000])
    }

    @Test func `a light that flickers counts after four seconds`() {
        var readings = Readings()
        for time in stride(from: 0, to: 20_000, by: 500) {
            readings.read(time < 5_000 || time % 1_000 == 0 ? 20 : 320, at: time)
            if time < 9_000 { #expect(readings.settled == [20]) }
        }
        #expect(readings.settled == [20, 320])
    }
}
