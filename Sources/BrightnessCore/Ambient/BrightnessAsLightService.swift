// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Posts the brightness of a display as the ambient light, on a machine without a light sensor.
package struct BrightnessAsLightService: Sendable {
    private let display: DisplayID?
    private let source: NotificationSource
    private let poster: NotificationPoster

    /// - Parameter display: `nil` waits for the first display.
    package init(_ display: DisplayID?, source: NotificationSource, poster: NotificationPoster) {
        self.display = display
        self.source = source
        self.poster = poster
    }

    /// Posts each change until the task is cancelled.
    ///
    /// - Parameter now: Reads the clocks.
    package func run<C: Clock<Duration>>(on clock: C, now: @escaping @Sendable () -> Moment) async
    where C.Instant == Instant {
        let light = Light()
        let filter = NotificationFilter([.brightness], of: display.map { [$0] }, ofThisMachine: true)
        let states = source.notifications(of: filter)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var observed = display
                for await case .brightness(let state) in states where state.id == observed ?? state.id {
                    observed = state.id
                    light.take(state, at: now().instant)
                }
            }
            group.addTask {
                for await _ in light.timer.rings {
                    light.timer.answer()
                    let (news, deadline) = light.news(at: now())
                    if let news { poster.post(.ambient(news)) }
                    light.timer.sleep(until: deadline, on: clock)
                }
            }
        }
    }

    /// The rules, and when to apply them next.
    private final class Light: Sendable {
        let timer = DeadlineTimer()
        private let rules = Mutex(BrightnessAsLightSensor())

        func take(_ state: DisplayState, at now: Instant) {
            rules.withLock { $0.take(state, at: now) }
            // At once: the first state is reported, and a change moves the deadline.
            timer.set(for: now)
        }

        func news(at now: Moment) -> (Ambient?, Instant?) {
            rules.withLock { rules in
                let news = rules.news(at: now)
                return (news, rules.deadline)
            }
        }
    }
}
