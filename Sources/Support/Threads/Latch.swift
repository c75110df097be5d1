// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
import Synchronization

/// A latch that opens once, after a number of releases, and stays open. Any thread.
///
/// Waiting uses no thread of Swift's concurrency pool, so a stop that waits here does not depend on tasks that hang.
package final class Latch: @unchecked Sendable {  // any thread may use a semaphore
    private struct State {
        var count: Int
        var bodies: [@Sendable () -> Void] = []
    }

    private let state: Mutex<State>
    /// Has a signal once the latch is open. Each waiting thread passes it on to the next.
    private let opening = DispatchSemaphore(value: 0)

    /// - Parameter count: The number of releases that open the latch. With 0 it is open.
    package init(count: Int = 1) {
        state = Mutex(State(count: count))
        if count == 0 { opening.signal() }
    }

    package func release() {
        let ready = state.withLock { state -> [@Sendable () -> Void]? in
            state.count -= 1
            guard state.count == 0 else { return nil }
            defer { state.bodies = [] }
            return state.bodies
        }
        guard let ready else { return }
        opening.signal()
        for body in ready { body() }
    }

    package func wait() {
        opening.wait()
        opening.signal()
    }

    /// Waits until the latch is open or the time is over.
    ///
    /// - Returns: Whether it is open.
    @discardableResult
    package func wait(within limit: inout Countdown) -> Bool {
        while !isOpen, !limit.isOver {
            let start = ContinuousClock.now
            let step = DispatchTimeInterval.milliseconds(Int((limit.wait / .milliseconds(1)).rounded(.up)))
            if opening.wait(timeout: .now() + step) == .success { opening.signal() }
            limit.spend(ContinuousClock.now - start)
        }
        return isOpen
    }

    package var isOpen: Bool { state.withLock { $0.count <= 0 } }

    /// Calls `body` when the latch opens: on the thread of the last release, or here if it is open.
    package func whenOpen(_ body: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            if state.count > 0 { state.bodies.append(body) }
            return state.count <= 0
        }
        if isOpen { body() }
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
