// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport

@testable import Journal

/// The clocks of a machine. `now` is the true time in milliseconds since the run began; only the test knows it.
struct SimulatedTime {
    private(set) var now = 0
    /// The offset of the wall clock.
    var wallError = 0
    /// For how long the machine has slept.
    private(set) var slept = 0
    /// The number of boots.
    private(set) var boots = 0
    private var bootedAt = 0
    /// The machine's boot-time clock at `bootedAt`.
    private var counted = Moment.start.instant
    /// Whether the system names its boots.
    let namesBoots: Bool

    init(namesBoots: Bool) { self.namesBoots = namesBoots }

    var wall: Int { Int(Moment.start.wall.milliseconds) + now + wallError }

    var moment: Moment {
        Moment(instant: counted + .milliseconds(now - bootedAt), wall: Timestamp(milliseconds: Int64(wall)))
    }

    /// Started a while before the first read, and not at a whole millisecond of the boot-time clock.
    var bootClock: BootClock {
        BootClock(boot: namesBoots ? "boot-\(boots)" : "", origin: counted - .microseconds(5_300_400))
    }

    mutating func advance(by milliseconds: Int) { now += milliseconds }

    mutating func sleep(for milliseconds: Int) {
        advance(by: milliseconds)
        slept += milliseconds
    }

    /// Restarts the machine: its boot-time clock is unrelated to the previous one.
    mutating func boot(counting shift: Duration) {
        boots += 1
        bootedAt = now
        counted = Moment.start.instant + shift
    }

    /// Converts an instant of this boot to the test's time.
    func time(of instant: Instant) -> Int {
        let (seconds, attoseconds) = (instant - counted).components
        return bootedAt + Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
