// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Journal

/// How much time a lease has left, all in seconds: granted for 60, and read at some time in the same or another run of
/// the machine.
@Suite struct BootClockTests {
    private static let booted = Moment.start.instant - .seconds(100)
    private let clock = BootClock(boot: "a", origin: booted)
    private let end: PersistedDeadline

    init() { end = clock.written(.after(.seconds(60)), at: .start) }

    /// So many seconds after the grant; the wall clock shows something else.
    private func moment(after seconds: Int, wall: Int) -> Moment {
        Moment(instant: Moment.after(.seconds(seconds)).instant, wall: Moment.after(.seconds(wall)).wall)
    }

    private func left(_ end: PersistedDeadline, isOfThisBoot: Bool, at now: Moment) -> Duration {
        clock.read(end, isOfThisBoot: isOfThisBoot, at: now).instant - now.instant
    }

    @Test(arguments: [(10, 10, 50), (10, -86_400, 50), (10, 86_400, 50), (60, 0, 0), (90, 90, -30)])
    func `in the same run the wall clock does not count`(seconds: Int, wall: Int, left: Int) {
        #expect(self.left(end, isOfThisBoot: true, at: moment(after: seconds, wall: wall)) == .seconds(left))
    }

    @Test(arguments: [(20, 40), (59, 1), (61, -1), (-86_400, 60), (86_400, -86_340)])
    func `in another run only the wall clock is left, and gives nobody more time`(wall: Int, left: Int) {
        // Counted from another start, so the instant says nothing.
        #expect(self.left(end, isOfThisBoot: false, at: moment(after: -99, wall: wall)) == .seconds(left))
    }

    @Test(arguments: [
        PersistedDeadline(at: .max, afterBoot: .max, left: .max),
        PersistedDeadline(at: .min, afterBoot: .min, left: .min),
        PersistedDeadline(at: .max, afterBoot: .min, left: 0), PersistedDeadline(at: 0, afterBoot: 0, left: .max),
    ])
    func `whatever stands in a file, nobody gets more than a lease or a hold may last`(end: PersistedDeadline) {
        for isOfThisBoot in [true, false] {
            #expect(left(end, isOfThisBoot: isOfThisBoot, at: .start) <= BoostRequest.longestTTL)
            let held = clock.read(end, isOfThisBoot: isOfThisBoot, longest: .seconds(7), at: .start)
            #expect(held.instant <= Moment.after(.seconds(7)).instant)
        }
    }
}
