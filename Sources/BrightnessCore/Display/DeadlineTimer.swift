// SPDX-License-Identifier: Apache-2.0
internal import Conflation
import Synchronization

/// Rings when the earliest deadline is reached, and when an earlier one than that is set.
///
/// Setting a later deadline costs a lock and nothing else, so granting thousands of leases a second wakes nobody.
final class DeadlineTimer: Sendable {
    private struct State {
        var set: Instant?
        var sleeper: Task<Void, Never>?
    }

    /// One reader.
    let rings: AsyncStream<Void>
    private let signal: Signal
    private let state = Mutex(State())

    init() { (rings, signal) = Signal.makeStream() }

    /// Makes sure that it rings no later than `deadline`.
    func set(for deadline: Instant?) {
        guard let deadline else { return }
        let isEarlier = state.withLock { state in
            guard state.set.map({ deadline < $0 }) ?? true else { return false }
            state.set = deadline
            return true
        }
        if isEarlier { signal.send() }
    }

    /// The reader begins to look: whatever is set from here on rings again.
    func answer() {
        state.withLock { state in
            state.set = nil
            state.sleeper?.cancel()
        }
    }

    /// The reader has done all that was due: ring again at `deadline`.
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
