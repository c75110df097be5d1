// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@testable import DaemonRuntime

@Suite(.timeLimit(.minutes(10)))
struct SleepersTests {
    private let sleepers: Sleepers

    init() throws { sleepers = try #require(Sleepers()) }

    private func after(_ duration: Duration) -> Instant { MachineClock().now + duration }

    @Test func `a sleep ends at its deadline, and not before`() async throws {
        let deadline = after(.milliseconds(20))
        try await sleepers.sleep(until: deadline)
        #expect(MachineClock().now >= deadline)
        #expect(sleepers.count == 0)
    }

    @Test(arguments: [Instant(sinceBoot: .zero), Instant(sinceBoot: .seconds(-1))])
    func `a deadline that has passed ends the sleep`(deadline: Instant) async throws {
        try await sleepers.sleep(until: deadline)
        #expect(sleepers.count == 0)
    }

    @Test func `an earlier deadline ends first`() async throws {
        let long = Task { [sleepers] in try await sleepers.sleep(until: MachineClock().now + .seconds(86_400)) }
        while sleepers.count == 0 { await Task.yield() }
        try await sleepers.sleep(until: after(.milliseconds(1)))
        #expect(sleepers.count == 1)
        long.cancel()
    }

    @Test func `a cancelled sleep is forgotten at once`() async throws {
        for _ in 1...100 {
            let task = Task { [sleepers] in try await sleepers.sleep(until: MachineClock().now + .seconds(86_400)) }
            while sleepers.count == 0 { await Task.yield() }
            task.cancel()
            #expect(sleepers.count == 0)
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func `a sleep of a cancelled task does not begin`() async {
        let task = Task { [sleepers] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await sleepers.sleep(until: MachineClock().now + .seconds(86_400))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sleepers.count == 0)
    }
}
