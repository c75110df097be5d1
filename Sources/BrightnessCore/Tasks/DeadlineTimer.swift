// SPDX-License-Identifier: Apache-2.0
internal import Support
import Synchronization

/// A timer that fires at the earliest deadline.
///
/// Setting a later deadline only takes a lock: granting thousands of leases a second wakes no thread.
final class DeadlineTimer: Sendable {
    private struct State {
        /// The earliest deadline since `acknowledge`.
        var earliest: Instant?
        var sleeper: Task<Void, Never>?
    }

    /// Yields when the timer fires. For one reader.
    let firings: AsyncStream<Void>
    private let signal: WakeSignal
    private let state = Mutex(State())

    init() { (firings, signal) = WakeSignal.makeStream() }

    /// Lets the timer fire at once if `deadline` is the earliest: its reader then arms it for the next deadline.
    func set(for deadline: Instant?) {
        guard let deadline else { return }
        let isEarlier = state.withLock { state in
            guard state.earliest.map({ deadline < $0 }) ?? true else { return false }
            state.earliest = deadline
            return true
        }
        if isEarlier { signal.send() }
    }

    /// Lets the timer fire at once.
    func fire() { set(for: Instant(sinceBoot: .zero)) }

    /// Acknowledges the timer. Deadlines set from here on fire again.
    func acknowledge() {
        state.withLock { state in
            state.earliest = nil
            state.sleeper?.cancel()
        }
    }

    /// Sets the next deadline after all due work is done.
    func arm<C: Clock<Duration>>(for deadline: Instant?, on clock: C)
    where C.Instant == Instant {
        guard let deadline else { return }
        state.withLock { state in
            state.earliest = min(deadline, state.earliest ?? deadline)
            state.sleeper = Task { [signal] in
                guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
                signal.send()
            }
        }
    }

    deinit { state.withLock { $0.sleeper?.cancel() } }
}
