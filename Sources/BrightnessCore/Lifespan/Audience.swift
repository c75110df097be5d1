// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Whether somebody looks: what costs something to find out, such as asking a monitor, is found out often only then.
///
/// ```
///   shards, bridges ──join──► Audience ──Notification.audience──► `.visible` subscriptions, which sample or poll
/// ```
///
/// Nobody is there at first. Any thread.
package final class Audience: Sendable {
    private let poster: NotificationPoster
    private let viewers = Mutex(0)

    package init(poster: NotificationPoster) {
        self.poster = poster
        poster.post(.audience(isPresent: false))
    }

    /// Somebody looks for as long as the viewer is kept.
    package func join() -> Viewer { Viewer(self) }

    /// The count is told under its lock: in order, so that the hub ends on the truth.
    fileprivate func change(by step: Int) {
        let wakes = viewers.withLock { viewers in
            let wasPresent = viewers > 0
            viewers += step
            return poster.put((viewers > 0) == wasPresent ? [] : [.audience(isPresent: viewers > 0)])
        }
        wakes()
    }
}

/// One that looks, until it is let go.
package final class Viewer: Sendable {
    private let audience: Audience

    fileprivate init(_ audience: Audience) {
        self.audience = audience
        audience.change(by: 1)
    }

    deinit { audience.change(by: -1) }
}
