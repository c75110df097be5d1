// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Posts that the machine has slept, once for everybody. Any thread.
///
/// The kernel does not report it, so the parts that act by the time call `check` before.
package final class ResumeDetector: Sendable {
    private let slept: @Sendable () -> Duration
    private let poster: NotificationPoster
    private let known: Mutex<Duration>

    /// - Parameter slept: Returns how long the machine has slept since it was started.
    package init(poster: NotificationPoster, slept: @escaping @Sendable () -> Duration) {
        self.slept = slept
        self.poster = poster
        known = Mutex(slept())
    }

    /// Posts `.resumed` if the machine has slept since the last check.
    package func check() {
        let slept = slept()
        let hasSlept = known.withLock { known in
            defer { known = max(known, slept) }
            return slept - known > .seconds(1)
        }
        if hasSlept { poster.post(.resumed) }
    }
}
