// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A latch that opens once, after a number of releases, and stays open. Any thread.
///
/// Waiting uses no thread of Swift's concurrency pool, so a stop that waits here does not depend on tasks that hang.
///
/// - SeeAlso: pthread_cond_timedwait(3)
package final class Latch: @unchecked Sendable {  // `count` and `bodies` are touched under `mutex` only
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var count: Int
    private var bodies: [@Sendable () -> Void] = []

    /// - Parameter count: The number of releases that open the latch. With 0 it is open.
    package init(count: Int = 1) {
        self.count = count
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    package func release() {
        let ready = locked {
            count -= 1
            guard count == 0 else { return [] as [@Sendable () -> Void] }
            pthread_cond_broadcast(condition)
            defer { bodies = [] }
            return bodies
        }
        for body in ready { body() }
    }

    /// Waits until the latch is open.
    package func wait() {
        locked { while count > 0 { pthread_cond_wait(condition, mutex) } }
    }

    /// Waits until the latch is open or the time is over.
    ///
    /// - Returns: Whether it is open.
    @discardableResult
    package func wait(within limit: inout Countdown) -> Bool {
        locked {
            while count > 0, !limit.isOver {
                let start = Self.now
                var end = start.advanced(by: limit.wait)
                pthread_cond_timedwait(condition, mutex, &end)
                limit.spend(Self.now.since(start))
            }
            return count <= 0
        }
    }

    package var isOpen: Bool { locked { count <= 0 } }

    /// Calls `body` when the latch opens: on the thread of the last release, or here if it is open.
    package func whenOpen(_ body: @escaping @Sendable () -> Void) {
        let isOpen = locked {
            if count > 0 { bodies.append(body) }
            return count <= 0
        }
        if isOpen { body() }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    private static var now: timespec {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time
    }
}

extension timespec {
    fileprivate func advanced(by duration: Duration) -> timespec {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = tv_nsec + Int(attoseconds / 1_000_000_000)
        let whole = tv_sec + Int(seconds) + nanoseconds / 1_000_000_000
        return timespec(tv_sec: whole, tv_nsec: nanoseconds % 1_000_000_000)
    }

    fileprivate func since(_ earlier: timespec) -> Duration {
        .seconds(tv_sec - earlier.tv_sec) + .nanoseconds(tv_nsec - earlier.tv_nsec)
    }
}

/// A time limit that does not expire during a pause of the process.
///
/// After SIGSTOP, a frozen container or a suspend, clocks show that the limit is over although nothing was done.
/// Therefore one call of `spend` subtracts at most `step`. The caller must read the clock at least once per `step`.
package struct Countdown: Sendable {
    package static let step: Duration = .milliseconds(100)

    /// The remaining time, at least zero.
    package private(set) var left: Duration

    package init(_ limit: Duration) { left = max(limit, .zero) }

    package var isOver: Bool { left == .zero }

    /// The maximum time to wait before the next call of `spend`.
    package var wait: Duration { min(left, Self.step) }

    /// Subtracts the time since the previous call.
    package mutating func spend(_ elapsed: Duration) {
        left = max(.zero, left - min(max(elapsed, .zero), Self.step))
    }
}
