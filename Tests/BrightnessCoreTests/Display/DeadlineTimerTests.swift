// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite(.timeLimit(.minutes(10)))
struct DeadlineTimerTests {
    private let timer = DeadlineTimer()
    private let clock = ManualClock()

    private func after(_ seconds: Int) -> Instant { Moment.after(.seconds(seconds)).instant }

    /// Whether the timer has fired since the last acknowledgement. The timer cannot be read afterwards.
    private func hasRung() async -> Bool {
        let timer = timer
        return await Task {
            // A cancelled reader gets the waiting element and does not wait.
            withUnsafeCurrentTask { $0?.cancel() }
            var rings = timer.firings.makeAsyncIterator()
            return await rings.next() != nil
        }.value
    }

    private func hear() async { for await _ in timer.firings { return } }

    @Test func `the timer fires for the first deadline`() async {
        timer.set(for: after(60))
        #expect(await hasRung())
    }

    @Test func `the timer does not fire without a deadline`() async {
        timer.set(for: nil)
        #expect(await !hasRung())
    }

    @Test(arguments: [(10, true), (59, true), (60, false), (61, false), (3_600, false)])
    func `the timer fires for an earlier deadline and not for a later one`(seconds: Int, rings: Bool) async {
        timer.set(for: after(60))
        await hear()
        timer.set(for: after(seconds))
        #expect(await hasRung() == rings)
    }

    @Test func `the timer fires for any deadline after an acknowledgement`() async {
        timer.set(for: after(60))
        await hear()
        timer.acknowledge()
        timer.set(for: after(3_600))
        #expect(await hasRung())
    }

    @Test func `the timer fires when the deadline is reached`() async throws {
        timer.arm(for: after(60), on: clock)
        #expect(try await clock.nextSleep() == after(60))
        clock.advance(by: .seconds(60))
        await hear()
    }

    @Test(arguments: [(10, true), (61, false)])
    func `during a sleep only an earlier deadline fires`(seconds: Int, rings: Bool) async throws {
        timer.arm(for: after(60), on: clock)
        _ = try await clock.nextSleep()
        timer.set(for: after(seconds))
        #expect(await hasRung() == rings)
    }

    @Test func `an acknowledgement ends the sleep`() async throws {
        timer.arm(for: after(60), on: clock)
        _ = try await clock.nextSleep()
        timer.acknowledge()
        #expect(clock.sleepers == 0)
        clock.advance(by: .seconds(60))
        #expect(await !hasRung())
    }

    @Test func `a deadline set between acknowledgement and sleep is not lost`() async throws {
        timer.acknowledge()
        timer.set(for: after(10))
        await hear()
        timer.arm(for: after(60), on: clock)
        timer.set(for: after(20))
        #expect(await !hasRung())
    }

    @Test func `releasing the timer ends its sleep`() async throws {
        var timer: DeadlineTimer? = DeadlineTimer()
        timer?.arm(for: after(60), on: clock)
        _ = try await clock.nextSleep()
        timer = nil
        #expect(clock.sleepers == 0)
    }
}
