// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport

@testable import Journal

/// What the clocks of a machine show. `now` is the truth, in milliseconds since the run began; nobody but the test sees it.
struct SimulatedTime {
    private(set) var now = 0
    /// What the wall clock is off by.
    var wallError = 0
    /// How often the machine was started.
    private(set) var boots = 0
    private var bootedAt = 0
    /// What the machine's own count of time shows at `bootedAt`.
    private var counted = Moment.start.instant
    /// Whether the system names its boots.
    let namesBoots: Bool

    init(namesBoots: Bool) { self.namesBoots = namesBoots }

    var wall: Int { Int(Moment.start.wall.milliseconds) + now + wallError }

    var moment: Moment {
        Moment(instant: counted + .milliseconds(now - bootedAt), wall: Timestamp(milliseconds: Int64(wall)))
    }

    /// Started a while before it is asked, and not at a whole millisecond of its own count.
    var bootClock: BootClock {
        BootClock(boot: namesBoots ? "boot-\(boots)" : "", origin: counted - .microseconds(5_300_400))
    }

    mutating func advance(by milliseconds: Int) { now += milliseconds }

    /// The machine starts again: its count of time has nothing to do with what it was.
    mutating func boot(counting shift: Duration) {
        boots += 1
        bootedAt = now
        counted = Moment.start.instant + shift
    }

    /// Which time of the test an instant of this boot is.
    func time(of instant: Instant) -> Int {
        let (seconds, attoseconds) = (instant - counted).components
        return bootedAt + Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
