// SPDX-License-Identifier: Apache-2.0
import Support
import Synchronization

/// The number of viewers: open streams, connected brokers, and clients that read now and then. Any thread.
///
/// Costly polls, such as those of monitors, run often only while there is a viewer.
///
/// ```
///   shards, bridges ──join, countReader──► ViewerCount ──Notification.audience──► `.whileWatched` subscriptions
/// ```
package final class ViewerCount: Sendable {
    static let readerTime: Duration = .seconds(30)

    private let poster: NotificationPoster
    private let clock: any Clock<Duration>
    private let count = Mutex(0)
    /// The newest read; `nil` if none counts.
    private let lastRead = Mutex<Instant?>(nil)

    /// - Parameter clock: Ends the time of a reader.
    package init(poster: NotificationPoster, clock: any Clock<Duration> = ContinuousClock()) {
        self.poster = poster
        self.clock = clock
        poster.post(.audience(isPresent: false))
    }

    /// Counts a viewer for as long as the returned token exists.
    package func join() -> ViewerToken { ViewerToken(self) }

    /// Counts a client that has read as a viewer, until `readerTime` after the last read.
    package func countReader(at now: Instant) {
        guard lastRead.exchange(now) == nil else { return }
        let token = join()
        Task {
            var (counted, pause) = (now, Self.readerTime)
            // Each sleep ends `readerTime` after the read `counted`. After a later read it goes on for their distance.
            while (try? await clock.sleep(for: pause)) != nil {
                let more = lastRead.withLock { last in
                    // An earlier read may have been noted after a later one.
                    defer { if let read = last, read <= counted { last = nil } }
                    return last.flatMap { $0 > counted ? $0 - counted : nil }
                }
                guard let more else { break }
                (counted, pause) = (counted + more, more)
            }
            withExtendedLifetime(token) {}
        }
    }

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
