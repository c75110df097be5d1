// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Glibc

/// Ties instants, which only this process understands, to what can be written down.
///
/// Within one run of the machine time is counted from its start, time asleep included, so no step of the wall clock
/// matters. Across a restart of the machine only the wall clock is left, and is not trusted to give anybody more time.
package struct BootClock: Sendable {
    /// Names this run of the machine; empty where the system does not say.
    let boot: String
    /// When the machine was started.
    let origin: Instant

    package init(boot: String, origin: Instant) {
        self.boot = boot
        self.origin = origin
    }

    /// The machine's: its instants count from its start.
    package static func ofThisMachine() -> BootClock { BootClock(boot: bootID(), origin: Instant(sinceBoot: .zero)) }

    private static func bootID() -> String {
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 36)
        return Glibc.read(file, &buffer, buffer.count) == buffer.count ? String(decoding: buffer, as: UTF8.self) : ""
    }

    /// A lease's or a hold's end as it is written down at `now`.
    func written(_ end: Moment, at now: Moment) -> PersistedDeadline {
        PersistedDeadline(
            at: end.wall.milliseconds,
            afterBoot: (end.instant - origin).milliseconds,
            left: (end.instant - now.instant).milliseconds
        )
    }

    /// The same end now, in this or a later run of the daemon: never later than what was left when it was written, and
    /// never later than `longest`, which any of its kind may last.
    func read(
        _ end: PersistedDeadline,
        isOfThisBoot: Bool,
        longest: Duration = BoostRequest.longestTTL,
        at now: Moment
    ) -> Moment {
        // Wrapping, since anything may stand in a file.
        let counted =
            isOfThisBoot ? end.afterBoot &- (now.instant - origin).milliseconds : end.at &- now.wall.milliseconds
        return now + .milliseconds(min(counted, end.left, longest.milliseconds))
    }
}

/// When a lease or a hold ends, in milliseconds.
struct PersistedDeadline: Equatable {
    /// Since 1970, on the wall.
    let at: Int64
    /// Since the machine was started.
    let afterBoot: Int64
    /// From the moment it was written.
    let left: Int64
}

extension Duration {
    /// Whole ones, rounded down.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
