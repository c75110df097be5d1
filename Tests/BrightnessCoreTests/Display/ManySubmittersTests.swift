// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Dispatch
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ManySubmittersTests {
    /// A queue with its own threads, like those of slow panels.
    private struct OtherThread: JobQueue {
        let queue = DispatchQueue(label: "test panel")
        func enqueue(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }
    }

    private static let queues: [@Sendable () -> any JobQueue] = [{ ImmediateQueue() }, { OtherThread() }]

    @Test(arguments: [0, 1])
    func `many threads get one answer per command, and listeners end on the newest state`(queue: Int) async throws {
        let hub = NotificationHub()
        let range = try #require(BrightnessRange(maximum: 1_000))
        let ids = ["a", "b", "c"].compactMap(DisplayID.init)
        let panels = ids.map { ScriptedPanel($0, range: range, step: 300) }
        let service = try DisplayService(
            panels.map { .init($0, on: Self.queues[queue]()) },
            poster: hub.poster,
            at: .start
        )
        let reported = Collected<BrightnessCore.Notification>()
        let listeners = Collected<Listener>()
        listeners.append(
            hub.source.listen(to: NotificationFilter([.state, .lease])) {
                reported.append { listeners.all[0].drain() }
            }
        )
        reported.append { listeners.all[0].drain() }

        let (rounds, threads) = (100, 8)
        let (answered, answers) = AsyncStream.makeStream(of: Result<CommandSuccess, CommandError>.self)
        onThreads(threads) { index in
            for round in 0..<rounds {
                let id = ids[(index + round) % ids.count]
                let action: Command.Action =
                    switch round % 5 {
                    case 0: .set(.step((index * 131 + round * 17) % 1_001))
                    case 1: .boost(0.9, by: "\(index)")
                    case 2: .move(delta: 0.01)
                    case 3: .refresh()
                    default: .restore(holder: "\(index)")
                    }
                service.submit(Command(action), to: id, at: .start) { answers.yield($0) }
            }
        }
        var results: [Result<CommandSuccess, CommandError>] = []
        for await result in answered {
            results.append(result)
            if results.count == rounds * threads { break }
        }
        // By then no change waits that would have been a flash too many.
        for id in ids { _ = try await service.perform(Command(.restoreAll()), on: id, at: .after(.seconds(2))).get() }
        answers.finish()

        #expect(results.allSatisfy { if case .success = $0 { true } else { false } })
        let extra = await answered.reduce(0) { count, _ in count + 1 }
        #expect(extra == 0, "no completion is called twice")
        let revisions = reported.all.compactMap(\.displayState?.revision)
        #expect(zip(revisions, revisions.dropFirst()).allSatisfy { $0 < $1 }, "revisions only grow")
        for (id, panel) in zip(ids, panels) {
            let state = try #require(service.state(of: id))
            #expect(reported.all.last { $0.displayState?.id == id } == .state(state))
            #expect(state.step == panel.step)
            #expect(state.boost == nil)
            #expect(range.step(for: state.baseline) == panel.step)
        }
        #expect(service.all.states.map(\.revision).max() == service.all.revision)
        #expect(service.revision == service.all.revision)
        let last = Dictionary(reported.all.compactMap(\.leaseEvent).map { ($0.lease.id, $0.change) }) { $1 }
        #expect(last.values.allSatisfy { $0.isEnd }, "the end of every lease was posted")
        listeners.removeAll()
    }
}
