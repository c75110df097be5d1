// SPDX-License-Identifier: Apache-2.0
import CLinux
import Dispatch
import Glibc
import Support

/// Reports that the wall clock was set: by a person, or by NTP on a machine without a clock battery.
///
/// - A slewed clock does not jump and is not reported. A machine that wakes may be reported.
/// - SeeAlso: `TFD_TIMER_CANCEL_ON_SET` in `timerfd_create(2)`
package enum WallClockWatch {
    /// One element each time the clock was set. For one reader.
    package static var changes: AsyncStream<Void> {
        let (changes, signal) = WakeSignal.makeStream()
        let timer = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        guard timer >= 0 else { return changes }
        arm(timer)
        // Used by its queue, and cancelled once.
        nonisolated(unsafe) let source = DispatchSource.makeReadSource(
            fileDescriptor: timer,
            queue: DispatchQueue(label: "clock")
        )
        source.setEventHandler {
            var count: UInt64 = 0
            // Fails with `ECANCELED`.
            _ = read(timer, &count, MemoryLayout.size(ofValue: count))
            arm(timer)
            signal.send()
        }
        source.setCancelHandler { close(timer) }
        source.activate()
        signal.onTermination { source.cancel() }
        return changes
    }

    /// Makes the timer fire when the clock is set.
    private static func arm(_ timer: Int32) {
        var time = itimerspec()
        time.it_value.tv_sec = .max
        timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET), &time, nil)
    }
}
