// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import CLinux
import Glibc

/// Decides whether the wall clock was set since the machine was started. A machine without a clock battery shows an
/// early time until NTP answers.
struct WallClock: Sendable {
    /// A time before this release of the daemon.
    static let release = Timestamp(milliseconds: 1_793_491_200_000)

    /// The newest time that an earlier run has recorded; `nil` if there is none.
    let newestTime: Timestamp?
    /// Whether the kernel states that the clock is synchronized.
    var isSynchronized: @Sendable () -> Bool = Self.kernelIsSynchronized

    func isSet(at now: Timestamp) -> Bool {
        isSynchronized() || now > max(Self.release, newestTime ?? Self.release)
    }

    /// A sandbox may forbid to read the kernel's state; systemd-timesyncd then leaves a file.
    @Sendable static func kernelIsSynchronized() -> Bool {
        var state = timex()
        let answer = adjtimex(&state)
        if answer >= 0 { return answer != TIME_ERROR && state.status & STA_UNSYNC == 0 }
        return access("/run/systemd/timesync/synchronized", F_OK) == 0
    }
}

extension HolderService.Clock {
    static func ofThisMachine(newestTime: Timestamp?, _ resumes: ResumeDetector) -> Self {
        let clock = WallClock(newestTime: newestTime)
        let now: @Sendable () -> Moment = {
            // Reads the time zone again if the system's was changed.
            tzset()
            return MachineClock.moment()
        }
        return Self(now: now, isSet: { clock.isSet(at: $0) }, noticeSleep: { resumes.look() })
    }
}
