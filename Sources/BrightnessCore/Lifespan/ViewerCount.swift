// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The number of viewers: open streams and connected brokers. Any thread.
///
/// Costly polls, such as those of monitors, run often only while there is a viewer.
///
/// ```
///   shards, bridges ──join──► ViewerCount ──Notification.audience──► `.visible` subscriptions, which sample or poll
/// ```
package final class ViewerCount: Sendable {
    private let poster: NotificationPoster
    private let count = Mutex(0)

    package init(poster: NotificationPoster) {
        self.poster = poster
        poster.post(.audience(isPresent: false))
    }

    /// Counts a viewer for as long as the returned token exists.
    package func join() -> ViewerToken { ViewerToken(self) }

    /// Posts under the lock, so that the notifications arrive in the order of the changes.
    fileprivate func change(by step: Int) {
        let wakes = count.withLock { count in
            let wasPresent = count > 0
            count += step
            return poster.put((count > 0) == wasPresent ? [] : [.audience(isPresent: count > 0)])
        }
        wakes()
    }
}

/// One viewer, counted until the token is released.
package final class ViewerToken: Sendable {
    private let viewers: ViewerCount

    fileprivate init(_ viewers: ViewerCount) {
        self.viewers = viewers
        viewers.change(by: 1)
    }

    deinit { viewers.change(by: -1) }
}
