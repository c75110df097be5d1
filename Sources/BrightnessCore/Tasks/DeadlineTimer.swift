// SPDX-License-Identifier: Apache-2.0
internal import Support
import Synchronization

/// A timer that fires at the earliest deadline.
///
/// Setting a later deadline only takes a lock: granting thousands of leases a second wakes no thread.
final class DeadlineTimer: Sendable {
    private struct State {
        var set: Instant?
        var sleeper: Task<Void, Never>?
    }

    /// Yields when the timer fires. For one reader.
    let rings: AsyncStream<Void>
    private let signal: WakeSignal
    private let state = Mutex(State())

    init() { (rings, signal) = WakeSignal.makeStream() }

    /// Makes the timer fire at `deadline` or earlier.
    func set(for deadline: Instant?) {
        guard let deadline else { return }
        let isEarlier = state.withLock { state in
            guard state.set.map({ deadline < $0 }) ?? true else { return false }
            state.set = deadline
            return true
        }
        if isEarlier { signal.send() }
    }

    /// Acknowledges the timer. Deadlines set from here on fire again.
    func answer() {
        state.withLock { state in
            state.set = nil
            state.sleeper?.cancel()
        }
    }

    /// Sets the next deadline after all due work is done.
    func sleep<C: Clock<Duration>>(until deadline: Instant?, on clock: C)
    where C.Instant == Instant {
        guard let deadline else { return }
        state.withLock { state in
            state.set = min(deadline, state.set ?? deadline)
            state.sleeper = Task { [signal] in
                guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
                signal.send()
            }
        }
    }

    deinit { state.withLock { $0.sleeper?.cancel() } }
}
