// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite(.timeLimit(.minutes(1)))
struct AlarmTests {
    private let alarm = Alarm()
    private let clock = ManualClock()

    private func after(_ seconds: Int) -> Instant { Moment.after(.seconds(seconds)).instant }

    /// Whether it has rung since it was last asked; the alarm cannot be heard afterwards.
    private func hasRung() async -> Bool {
        let alarm = alarm
        return await Task {
            // A reader that is cancelled gets what is there, and does not wait.
            withUnsafeCurrentTask { $0?.cancel() }
            var rings = alarm.rings.makeAsyncIterator()
            return await rings.next() != nil
        }.value
    }

    private func hear() async { for await _ in alarm.rings { return } }

    @Test func `rings for the first deadline`() async {
        alarm.set(for: after(60))
        #expect(await hasRung())
    }

    @Test func `does not ring for none`() async {
        alarm.set(for: nil)
        #expect(await !hasRung())
    }

    @Test(arguments: [(10, true), (59, true), (60, false), (61, false), (3_600, false)])
    func `rings for an earlier deadline and not for a later one`(seconds: Int, rings: Bool) async {
        alarm.set(for: after(60))
        await hear()
        alarm.set(for: after(seconds))
        #expect(await hasRung() == rings)
    }

    @Test func `rings again for any deadline once it was answered`() async {
        alarm.set(for: after(60))
        await hear()
        alarm.answer()
        alarm.set(for: after(3_600))
        #expect(await hasRung())
    }

    @Test func `rings when the deadline is reached`() async throws {
        alarm.sleep(until: after(60), on: clock)
        #expect(try await clock.nextSleep() == after(60))
        clock.advance(by: .seconds(60))
        await hear()
    }

    @Test(arguments: [(10, true), (61, false)])
    func `while it sleeps only an earlier deadline rings`(seconds: Int, rings: Bool) async throws {
        alarm.sleep(until: after(60), on: clock)
        _ = try await clock.nextSleep()
        alarm.set(for: after(seconds))
        #expect(await hasRung() == rings)
    }

    @Test func `an answer ends its sleep`() async throws {
        alarm.sleep(until: after(60), on: clock)
        _ = try await clock.nextSleep()
        alarm.answer()
        #expect(clock.sleepers == 0)
        clock.advance(by: .seconds(60))
        #expect(await !hasRung())
    }

    @Test func `what is set between answer and sleep is not forgotten`() async throws {
        alarm.answer()
        alarm.set(for: after(10))
        await hear()
        alarm.sleep(until: after(60), on: clock)
        alarm.set(for: after(20))
        #expect(await !hasRung())
    }

    @Test func `its end ends its sleep`() async throws {
        var alarm: Alarm? = Alarm()
        alarm?.sleep(until: after(60), on: clock)
        _ = try await clock.nextSleep()
        alarm = nil
        #expect(clock.sleepers == 0)
    }
}
