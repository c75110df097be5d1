// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore

@Suite struct EndingTests {
    /// A journal on a disk that may hang.
    private final class HangingJournal: DisplayJournal {
        private struct State {
            var hangs = false
            var records: [DisplayRecord] = []
        }

        private let state = Mutex(State())

        var records: [DisplayRecord] { state.withLock { $0.records } }

        func hang() { state.withLock { $0.hangs = true } }

        func keep(_ record: DisplayRecord, safeFrom danger: Danger, completion: @escaping @Sendable () -> Void) {
            let hangs = state.withLock { state in
                state.records.append(record)
                return state.hangs
            }
            if !hangs { completion() }
        }

        func keepSoon(_ record: DisplayRecord) { state.withLock { $0.records.append(record) } }
    }

    private let journal = HangingJournal()
    private let queue = ManualQueue()
    private let panel: ScriptedPanel
    private let service: DisplayService
    private let hub = NotificationHub()
    private let ended = Collected<Int>()

    init() throws {
        panel = ScriptedPanel(.left, range: BrightnessRange(maximum: 100)!, step: 30, isSwitchable: true)
        service = try DisplayService(
            [DisplayService.PanelRegistration(panel, on: queue)],
            .init(journal: journal),
            poster: hub.poster,
            at: .start
        )
    }

    private func submit(_ action: Command.Action) -> Collected<Result<CommandSuccess, CommandError>> {
        let results = Collected<Result<CommandSuccess, CommandError>>()
        service.submit(Command(action, requester: .client), to: .left, at: .start) { results.append($0) }
        return results
    }

    private func end(with action: Command.Action = .restoreAll()) {
        for id in service.refuseCommands() {
            service.submitLast(Command(action, transition: .zero), to: id, at: .start) { [ended] in ended.append(1) }
        }
    }

    @Test func `a raised panel is restored, and that is published`() throws {
        _ = submit(.boost())
        queue.runAll()
        #expect(panel.step == 100)
        let reported = hub.source.listen(to: NotificationFilter([.lease])) {}
        _ = reported.drain()
        end()
        queue.runAll()
        #expect(panel.step == 30)
        #expect(ended.all == [1])
        #expect(reported.drain().compactMap(\.leaseEvent?.change) == [.stopped])
        let state = try #require(service.state(of: .left))
        #expect(state.boost == nil)
        #expect(state.cause.kind == .restore)
    }

    @Test func `a command after the last one is rejected and changes nothing`() {
        end()
        let late = submit(.boost())
        queue.runAll()
        #expect(late.all.map { $0.failure } == [.stopping])
        #expect(panel.writes == [])
    }

    /// The caller passed the service's check before the last command was submitted.
    @Test func `a command that reaches the worker after the last one is rejected`() throws {
        let worker = try #require(service.store.owner(of: .left)?.worker)
        end()
        let late = Collected<Result<CommandSuccess, CommandError>>()
        worker.submit(Command(.boost()), at: .start) { late.append($0) }
        queue.runAll()
        #expect(late.all.map { $0.failure } == [.stopping])
        #expect(panel.writes == [])
    }

    @Test func `a boost that waits for the panel is executed but raises nothing`() {
        let early = submit(.boost())
        end()
        queue.runAll()
        #expect(early.all.map { $0.failure } == [nil])
        #expect(panel.step == 30)
        #expect(panel.writes == [])
    }

    @Test func `the last command is accepted by a full queue`() {
        let waiting = (0..<2_000).map { _ in submit(.boost()) }
        end()
        queue.runAll()
        #expect(waiting.filter { $0.all.map { $0.failure } == [.busy] }.count == 2_000 - 1_024)
        #expect(ended.all == [1])
        #expect(panel.step == 30)
    }

    @Test func `a hanging journal keeps no panel raised`() {
        _ = submit(.boost())
        queue.runAll()
        journal.hang()
        end()
        queue.runAll()
        #expect(panel.step == 30)
        #expect(ended.all == [1])
        #expect(journal.records.last?.leases == [])
    }

    @Test func `a panel that was only awake is marked before the last command switches it off`() {
        _ = submit(.setPower(false))
        _ = submit(.lease(.wake, by: "a"))
        queue.runAll()
        journal.hang()
        end()
        queue.runAll()
        #expect(panel.isOn)
        #expect(journal.records.last?.mayBeDark == true)
        #expect(journal.records.last?.leases == [])
    }

    @Test func `a boost that is kept is stored before the panel is raised`() {
        journal.hang()
        _ = submit(.boost())
        end(with: .tick)
        queue.runAll()
        #expect(panel.writes == [])
        #expect(ended.all == [])
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
