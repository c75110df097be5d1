// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Support

/// The conversion between instants, which are valid only in this process, and persistent times.
///
/// Within one boot, time is measured from the start of the machine, sleep included, independent of the wall clock.
/// Across a restart of the machine only the wall clock is available. It never extends a deadline.
package struct BootClock: Sendable {
    /// The identifier of this boot; empty if the system does not provide one.
    let boot: String
    /// The start of the machine.
    let origin: Instant

    /// The clock of this machine, whose instants count from its start.
    package static func ofThisMachine() -> BootClock { BootClock(boot: bootID(), origin: Instant(sinceBoot: .zero)) }

    /// Whether a restart of the machine can be distinguished from one of the daemon.
    package var namesBoots: Bool { !boot.isEmpty }

    private static func bootID() -> String {
        let bytes = (try? RegularFile.read("/proc/sys/kernel/random/boot_id", upTo: 1).bytes) ?? []
        return bytes.count < 36 ? "" : String(decoding: bytes.prefix(36), as: UTF8.self)
    }

    /// When the machine was started, by the current wall clock.
    func start(at now: Moment) -> Timestamp {
        Timestamp(milliseconds: now.wall.milliseconds - (now.instant - origin).milliseconds)
    }

    /// Converts the end of a lease or a hold for storing it at `now`.
    func written(_ end: Moment, at now: Moment) -> PersistedDeadline {
        PersistedDeadline(
            at: end.wall.milliseconds,
            afterBoot: (end.instant - origin).milliseconds,
            left: (end.instant - now.instant).milliseconds
        )
    }

    /// Converts a stored end, in this or a later run. The result is never later than the stored remaining time, and
    /// never later than `longest`, the maximum of its kind.
    func read(
        _ end: PersistedDeadline,
        isOfThisBoot: Bool,
        longest: Duration = LeaseKind.longestTTL,
        at now: Moment
    ) -> Moment {
        // Wrapping, because the file may contain any number.
        let counted =
            isOfThisBoot ? end.afterBoot &- (now.instant - origin).milliseconds : end.at &- now.wall.milliseconds
        return now + .milliseconds(min(counted, end.left, longest.milliseconds))
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
