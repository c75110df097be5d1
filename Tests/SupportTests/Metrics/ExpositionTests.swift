// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Support

struct ExpositionTests {
    @Test func `the text has the lines of the format`() {
        var exposition = Exposition()
        exposition.family("brightnessd_leases", "Boosts in force.")
        exposition.sample(2, ["display": "eDP-1"])
        exposition.sample(0.25, ["display": "a\"b\\c\nd", "kind": "led"])
        exposition.family("brightnessd_writes_total", "Writes.")
        exposition.sample(true)
        #expect(
            exposition.text == #"""
                # HELP brightnessd_leases Boosts in force.
                # TYPE brightnessd_leases gauge
                brightnessd_leases{display="eDP-1"} 2
                brightnessd_leases{display="a\"b\\c\nd",kind="led"} 0.25
                # HELP brightnessd_writes_total Writes.
                # TYPE brightnessd_writes_total counter
                brightnessd_writes_total 1

                """#
        )
    }

    @Test func `a histogram counts up to its bounds`() {
        var histogram = Histogram(bounds: [.milliseconds(1), .milliseconds(250)])
        for milliseconds in [0, 1, 2, 250, 251] { histogram.count(.milliseconds(milliseconds)) }
        var exposition = Exposition()
        exposition.family("turn_seconds", "Turns.", .histogram)
        exposition.samples(histogram)
        #expect(
            exposition.text == """
                # HELP turn_seconds Turns.
                # TYPE turn_seconds histogram
                turn_seconds_bucket{le="0.001"} 2
                turn_seconds_bucket{le="0.25"} 4
                turn_seconds_bucket{le="+Inf"} 5
                turn_seconds_sum 0.504
                turn_seconds_count 5

                """
        )
    }
}

struct HistogramTests {
    @Test func `the sum of two histograms has all their durations`() {
        var left = Histogram(bounds: Histogram.defaultBounds)
        var right = left
        left.count(.milliseconds(3))
        right.count(.milliseconds(3))
        right.count(.seconds(60))
        let both = left + right
        #expect(both.counts.reduce(0, +) == 3)
        #expect(both.counts.last == 1)
        #expect(both.sum == .milliseconds(60_006))
    }

    @Test func `bounds ascend`() {
        let bounds = Histogram.defaultBounds
        #expect(bounds == bounds.sorted() && Set(bounds).count == bounds.count)
    }
}

struct ProcessSampleTests {
    @Test func `this process uses resources`() {
        let sample = ProcessSample()
        #expect(sample.cpuSeconds > 0)
        #expect(sample.residentBytes > 1_000_000 && sample.virtualBytes >= sample.residentBytes)
        #expect(sample.openDescriptors >= 3)
    }
}
