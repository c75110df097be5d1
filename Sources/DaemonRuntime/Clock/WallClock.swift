// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import CLinux
import Glibc
import Synchronization

/// Decides whether the wall clock was set since the machine was started. A machine without a clock battery shows an
/// early time until NTP answers, or until somebody sets it. Any thread.
final class WallClock: Sendable {
    /// A time before this release of the daemon.
    static let release = Timestamp(milliseconds: 1_793_491_200_000)
    /// How long a clock that is behind the newest recorded time is doubted: that time may have been wrong.
    static let doubt: Duration = .seconds(3_600)
    /// Smaller differences do not count as a jump.
    private static let tolerance: Int64 = 1_000

    private struct State {
        /// The difference of the wall clock and the monotonic one, in milliseconds.
        var offset: Int64
        /// Whether the clock was set in this run.
        var hasJumped = false
    }

    /// The newest time that an earlier run has recorded; `nil` if there is none.
    private let newestTime: Timestamp?
    private let begin: Instant
    /// Whether the kernel states that the clock is synchronized.
    private let isSynchronized: @Sendable () -> Bool
    private let state: Mutex<State>

    init(
        newestTime: Timestamp?,
        since now: Moment,
        isSynchronized: @escaping @Sendable () -> Bool = WallClock.kernelIsSynchronized
    ) {
        (self.newestTime, begin, self.isSynchronized) = (newestTime, now.instant, isSynchronized)
        state = Mutex(State(offset: now.offset))
    }

    func isSet(at now: Moment) -> Bool { reasonForDoubt(at: now) == nil }

    /// Why the clock does not count as set, for people; `nil` if it does.
    func reasonForDoubt(at now: Moment) -> String? {
        if isSynchronized() { return nil }
        guard now.wall > Self.release else {
            return "the clock shows \(now.wall.rfc3339), before this release of the daemon"
        }
        guard let newestTime, now.wall <= newestTime, now.instant - begin < Self.doubt, !state.withLock(\.hasJumped)
        else { return nil }
        return "the clock shows \(now.wall.rfc3339), and the history has \(newestTime.rfc3339)"
    }

    /// Notes a report that the clock was set. After a sleep of the machine there is one, too, but no jump.
    func wasSet(at now: Moment) {
        state.withLock { state in
            if abs(now.offset - state.offset) > Self.tolerance { state.hasJumped = true }
            state.offset = now.offset
        }
    }

    /// A sandbox may forbid to read the kernel's state; systemd-timesyncd then leaves a file.
    @Sendable static func kernelIsSynchronized() -> Bool {
        var state = timex()
        let answer = adjtimex(&state)
        if answer >= 0 { return answer != TIME_ERROR && state.status & STA_UNSYNC == 0 }
        return access("/run/systemd/timesync/synchronized", F_OK) == 0
    }
}

extension Moment {
    fileprivate var offset: Int64 { wall.milliseconds - (Timestamp(milliseconds: 0) + instant.sinceBoot).milliseconds }
}

extension HolderService.Clock {
    static func ofThisMachine(_ clock: WallClock, _ resumes: ResumeDetector) -> Self {
        let now: @Sendable () -> Moment = {
            // Reads the time zone again if the system's was changed.
            tzset()
            return MachineClock.moment()
        }
        return Self(now: now, isSet: { clock.isSet(at: $0) }, noticeSleep: { resumes.check() })
    }
}
