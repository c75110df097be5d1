// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

/// Tests of the test clock.
@Suite(.timeLimit(.minutes(10)))
struct ManualClockTests {
    private let clock = ManualClock()

    private func after(_ seconds: Int) -> Instant { Moment.after(.seconds(seconds)).instant }

    /// Sleeps already when this returns.
    private func sleeper(until deadline: Instant) -> Task<Void, any Error> {
        Task.immediate { [clock] in try await clock.sleep(until: deadline) }
    }

    @Test func `the clock stands still until it is advanced`() {
        #expect(clock.now == Moment.start.instant)
        #expect(clock.moment == .start)
        clock.advance(by: .seconds(5))
        #expect(clock.moment == .after(.seconds(5)))
    }

    @Test func `the clock wakes a sleeper at its deadline and not before`() async throws {
        let task = sleeper(until: after(10))
        #expect(try await clock.nextSleep() == after(10))
        clock.advance(by: .milliseconds(9_999))
        #expect(clock.sleepers == 1)
        clock.advance(by: .milliseconds(1))
        #expect(clock.sleepers == 0)
        try await task.value
    }

    @Test(arguments: [0, -5])
    func `a sleep until a past time returns at once`(seconds: Int) async throws {
        try await clock.sleep(until: after(seconds))
        #expect(clock.sleepers == 0)
    }

    @Test func `a cancelled sleep ends and is not reported`() async throws {
        let cancelled = sleeper(until: after(10))
        #expect(clock.sleepers == 1)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(clock.sleepers == 0)
        let task = sleeper(until: after(20))
        #expect(try await clock.nextSleep() == after(20))
        clock.advance(by: .seconds(20))
        try await task.value
    }

    @Test func `a cancelled task does not sleep`() async {
        let clock = clock
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(until: clock.now + .seconds(10))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleepers == 0)
    }

    @Test func `every sleep is reported once`() async throws {
        let tasks = [10, 20].map { sleeper(until: after($0)) }
        let first = try await clock.nextSleep()
        let second = try await clock.nextSleep()
        #expect(Set([first, second]) == [after(10), after(20)])
        clock.advance(by: .seconds(60))
        for task in tasks { try await task.value }
    }

    @Test func `waiting for a future sleep ends with the sleep or by cancellation`() async throws {
        let clock = clock
        let deadline = after(10)
        async let next = clock.nextSleep()
        let task = sleeper(until: deadline)
        #expect(try await next == deadline)
        clock.advance(by: .seconds(10))
        try await task.value
        let waiting = Task { try await clock.nextSleep() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
