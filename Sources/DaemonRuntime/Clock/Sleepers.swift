// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import CLinux
import Dispatch
import Glibc
import Synchronization

/// The tasks that sleep by the machine's clock, also while the machine is suspended. Any thread.
///
/// A cancelled sleep is forgotten at once. On Linux, a cancelled sleep of `ContinuousClock` keeps its task and its
/// timer, 600 bytes, until the deadline: a task that sleeps until tomorrow and is woken by each command would need
/// more and more.
///
/// - SeeAlso: `CLOCK_BOOTTIME` in `timerfd_create(2)`
final class Sleepers: Sendable {
    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var lastID = 0
        var sleepers: [Int: Sleeper] = [:]
    }

    private let state = Mutex(State())
    private let timer: Int32
    // Used by its queue, and cancelled once.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Fails without another descriptor.
    init?() {
        let timer = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        guard timer >= 0 else { return nil }
        self.timer = timer
        source = DispatchSource.makeReadSource(fileDescriptor: timer, queue: DispatchQueue(label: "sleepers"))
        source.setEventHandler { [weak self] in self?.wakeDue() }
        source.setCancelHandler { close(timer) }
        source.activate()
    }

    deinit { source.cancel() }

    /// The number of sleeping tasks.
    var count: Int { state.withLock(\.sleepers.count) }

    /// Returns at the deadline.
    ///
    /// - Throws: `CancellationError` at once when the task is cancelled.
    func sleep(until deadline: Instant) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isAsleep = state.withLock { state in
                    // A cancellation from here on finds the sleeper.
                    if Task.isCancelled { return false }
                    state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
                    setTimer(for: state)
                    return true
                }
                if !isAsleep { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            // The timer may fire for it once.
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func wakeDue() {
        var count: UInt64 = 0
        _ = read(timer, &count, MemoryLayout.size(ofValue: count))
        let now = MachineClock().now
        let due = state.withLock { state in
            let due = state.sleepers.filter { $0.value.deadline <= now }
            for id in due.keys { state.sleepers[id] = nil }
            setTimer(for: state)
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Sets the timer for the first deadline, under the lock. One that has passed fires at once.
    private func setTimer(for state: borrowing State) {
        guard let first = state.sleepers.values.lazy.map(\.deadline).min() else { return }
        let (seconds, attoseconds) = first.sinceBoot.components
        var time = itimerspec()
        time.it_value.tv_sec = time_t(max(seconds, 0))
        // Zero would stop it.
        time.it_value.tv_nsec = max(Int(attoseconds / 1_000_000_000), 1)
        timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &time, nil)
    }
}
