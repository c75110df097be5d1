// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Synchronization

/// A clock that stands still until a test advances it. Any thread.
///
/// ```swift
/// let deadline = try await clock.nextSleep()      // a task sleeps now, until then
/// clock.advance(by: .seconds(60))                 // and is woken
/// ```
package final class ManualClock: Clock {
    package typealias Instant = BrightnessCore.Instant
    package typealias Duration = Swift.Duration

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var moment: Moment
        var lastSleep = 0
        var sleepers: [Int: Sleeper] = [:]
    }

    private let state: Mutex<State>
    private let begun: AsyncStream<Int>
    private let begin: AsyncStream<Int>.Continuation

    package init(at moment: Moment = .start) {
        state = Mutex(State(moment: moment))
        (begun, begin) = AsyncStream.makeStream()
    }

    package var moment: Moment { state.withLock(\.moment) }
    package var now: Instant { moment.instant }
    package var minimumResolution: Duration { .nanoseconds(1) }

    /// The number of sleeping tasks.
    package var sleepers: Int { state.withLock(\.sleepers.count) }

    /// Advances the time, and wakes every task whose deadline is reached, the earliest first.
    package func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.moment = state.moment + duration
            let now = state.moment.instant
            let due = state.sleepers.filter { $0.value.deadline <= now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value)
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Waits for the next sleep that was not returned before. Returns its deadline.
    ///
    /// Skips sleeps that have ended since then. One caller at a time.
    /// - Throws: `CancellationError` when the caller is cancelled.
    package func nextSleep() async throws -> Instant {
        for await id in begun {
            if let deadline = state.withLock({ $0.sleepers[id]?.deadline }) { return deadline }
        }
        throw CancellationError()
    }

    package func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { state in
            state.lastSleep += 1
            return state.lastSleep
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                suspend(Sleeper(deadline: deadline, continuation: continuation), as: id)
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func suspend(_ sleeper: Sleeper, as id: Int) {
        enum Outcome { case asleep, cancelled, due }
        let outcome: Outcome = state.withLock { state in
            // A cancellation from here on finds the sleeper in the list.
            if Task.isCancelled { return .cancelled }
            if sleeper.deadline <= state.moment.instant { return .due }
            state.sleepers[id] = sleeper
            return .asleep
        }
        switch outcome {
        case .asleep: begin.yield(id)
        case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
        case .due: sleeper.continuation.resume()
        }
    }
}
