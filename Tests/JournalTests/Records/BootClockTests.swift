// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Journal

/// The remaining time of a lease in seconds: granted for 60, and read in the same or another boot.
@Suite struct BootClockTests {
    private static let booted = Moment.start.instant - .seconds(100)
    private let clock = BootClock(boot: "a", origin: booted)
    private let end: PersistedDeadline

    init() { end = clock.written(.after(.seconds(60)), at: .start) }

    /// This many seconds after the grant; the wall clock shows another time.
    private func moment(after seconds: Int, wall: Int) -> Moment {
        Moment(instant: Moment.after(.seconds(seconds)).instant, wall: Moment.after(.seconds(wall)).wall)
    }

    private func left(_ end: PersistedDeadline, isOfThisBoot: Bool, at now: Moment) -> Duration {
        clock.read(end, isOfThisBoot: isOfThisBoot, at: now).instant - now.instant
    }

    @Test(arguments: [(10, 10, 50), (10, -86_400, 50), (10, 86_400, 50), (60, 0, 0), (90, 90, -30)])
    func `within one boot the wall clock does not count`(seconds: Int, wall: Int, left: Int) {
        #expect(self.left(end, isOfThisBoot: true, at: moment(after: seconds, wall: wall)) == .seconds(left))
    }

    @Test(arguments: [(20, 40), (59, 1), (61, -1), (-86_400, 60), (86_400, -86_340)])
    func `in another boot only the wall clock counts, and it never extends a lease`(wall: Int, left: Int) {
        // Counted from another start, so the instant says nothing.
        #expect(self.left(end, isOfThisBoot: false, at: moment(after: -99, wall: wall)) == .seconds(left))
    }

    @Test(arguments: [
        PersistedDeadline(at: .max, afterBoot: .max, left: .max),
        PersistedDeadline(at: .min, afterBoot: .min, left: .min),
        PersistedDeadline(at: .max, afterBoot: .min, left: 0), PersistedDeadline(at: 0, afterBoot: 0, left: .max),
    ])
    func `no stored end extends a lease or a hold beyond its maximum`(end: PersistedDeadline) {
        for isOfThisBoot in [true, false] {
            #expect(left(end, isOfThisBoot: isOfThisBoot, at: .start) <= LeaseKind.longestTTL)
            let held = clock.read(end, isOfThisBoot: isOfThisBoot, longest: .seconds(7), at: .start)
            #expect(held.instant <= Moment.after(.seconds(7)).instant)
        }
    }
}
