// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Support
import Synchronization

/// Posts that the wall clock was set, and that the machine has slept. Logs why schedules wait for the clock.
struct ClockTask: BackgroundTask {
    /// One element each time the clock was set. Armed before the clock was read for the first time.
    let changes: AsyncStream<Void>
    let clock: WallClock
    let poster: NotificationPoster
    let source: NotificationSource
    let resumes: ResumeDetector
    let logger: Logger

    func run() async {
        let state = Mutex(ScheduleHealth.none)
        let health = SubscriptionGroup(
            source,
            Subscription(to: NotificationFilter([.health])) { notification in
                guard case .health(let health) = notification else { return }
                let earlier = state.exchange(health.schedules)
                log(health.schedules, after: earlier, at: MachineClock.moment())
            }
        )
        defer { health.end() }
        for await _ in changes {
            clock.wasSet(at: MachineClock.moment())
            resumes.check()
            poster.post(.clockSet)
        }
    }

    func log(_ schedules: ScheduleHealth, after earlier: ScheduleHealth, at now: Moment) {
        switch (earlier, schedules) {
        case (.none, .waiting), (.running, .waiting):
            guard let reason = clock.reasonForDoubt(at: now) else { return }
            logger.warning(
                """
                no schedule is in force: \(reason). Let the machine reach a time server, or set the clock: \
                sudo date -s '2026-12-31 23:59'
                """
            )
        case (.waiting, .running): logger.notice("the clock counts as set: schedules are in force")
        default: break
        }
    }
}
