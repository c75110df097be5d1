// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct MomentTests {
    @Test(arguments: [
        (Duration.zero, Int64(1_000)),
        (.milliseconds(1), 1_001),
        (.milliseconds(-1), 999),
        (.seconds(60), 61_000),
        (.seconds(-2), -1_000),
        (.milliseconds(1_500), 2_500),
        (.milliseconds(-1_500), -500),
        (.microseconds(999), 1_000),
        (.seconds(86_400 * 365), 31_536_001_000),
    ])
    func `a timestamp is moved by whole milliseconds`(duration: Duration, milliseconds: Int64) {
        #expect(Timestamp(milliseconds: 1_000) + duration == Timestamp(milliseconds: milliseconds))
    }

    @Test func `timestamps are ordered in time, also before 1970`() {
        let times = [5, -5, 0].map(Timestamp.init(milliseconds:))
        #expect(times.sorted().map(\.milliseconds) == [-5, 0, 5])
    }

    @Test(arguments: [Duration.seconds(60), .milliseconds(-250), .zero])
    func `a moment moves on both clocks`(duration: Duration) {
        let moment = Moment.start + duration
        #expect(moment.instant == Moment.start.instant.advanced(by: duration))
        #expect(moment.wall == Moment.start.wall + duration)
    }
}
