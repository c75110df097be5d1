// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite(.timeLimit(.minutes(10)))
struct DisplayServiceTests {
    private let hub = NotificationHub()

    private func panel(_ id: DisplayID, showing step: Int) throws -> ScriptedPanel {
        ScriptedPanel(id, range: try #require(BrightnessRange(maximum: 100)), step: step)
    }

    private func service(_ panels: ScriptedPanel...) throws -> DisplayService {
        try DisplayService(
            panels.map { DisplayService.PanelRegistration($0, on: ImmediateQueue()) },
            .init(epoch: Epoch(number: 7)),
            poster: hub.poster,
            at: .start
        )
    }

    @Test func `the service starts with the panels' steps and writes nothing`() throws {
        let (left, right) = (try panel(.left, showing: 30), try panel(.right, showing: 80))
        let listener = hub.source.listen(to: .all, wake: {})
        let service = try service(left, right)
        let (revision, states) = service.all
        #expect(states.map(\.id) == [.left, .right])
        #expect(states.map(\.brightness) == [.at(0.3), .at(0.8)])
        #expect(states.map(\.baseline) == [.at(0.3), .at(0.8)])
        #expect(states.map(\.step) == [30, 80])
        #expect(states.map(\.revision) == [Revision(1), Revision(2)])
        #expect(states.allSatisfy { $0.isAvailable && $0.boost == nil })
        #expect(states.map(\.cause) == Array(repeating: Cause(.connected, at: Moment.start.wall), count: 2))
        #expect(revision == Revision(2))
        #expect(service.epoch == Epoch(number: 7))
        #expect(
            listener.drain() == [
                .state(states[0]), .display(.left, .added, at: Revision(1)), .defaultDisplay(.left),
                .state(states[1]), .display(.right, .added, at: Revision(2)),
            ]
        )
        #expect([left.reads, right.reads] == [1, 1])
        #expect([left.writes, right.writes] == [[], []])
    }

    @Test func `the service does not start with an unreadable panel, and publishes no display`() throws {
        let (left, right) = (try panel(.left, showing: 30), try panel(.right, showing: 80))
        right.failReads(.gone)
        #expect(throws: DeviceError.gone) { try service(left, right) }
        #expect(hub.source.listen(to: .all, wake: {}).drain() == [])
    }

    @Test func `the service knows only its own displays`() async throws {
        let service = try service(panel(.left, showing: 30))
        #expect(service.state(of: .left)?.id == .left)
        #expect(service.state(of: .right) == nil)
        #expect(service.leases(of: .right) == nil)
        let result = await service.perform(Command(.set(0.5)), on: .right, at: .start)
        #expect(throws: CommandError.unknownDisplay) { try result.get() }
    }

    @Test func `an immediate queue answers before submit returns`() throws {
        let panel = try panel(.left, showing: 30)
        let service = try service(panel)
        let answers = Collected<DisplayState?>()
        service.submit(Command(.set(0.5)), to: .left, at: .start) { answers.append(try? $0.get().state) }
        #expect(answers.all == [service.state(of: .left)])
        #expect(panel.step == 50)
    }

    @Test func `revisions count the changes of all displays together`() async throws {
        let service = try service(panel(.left, showing: 30), panel(.right, showing: 80))
        _ = await service.perform(Command(.set(0.5)), on: .right, at: .start)
        _ = await service.perform(Command(.set(0.6)), on: .left, at: .start)
        #expect(service.all.states.map(\.revision) == [Revision(4), Revision(3)])
        #expect(service.all.revision == Revision(4))
        #expect(service.revision == Revision(4))
    }

    @Test func `a panel is read at each change that it reports, until it is gone`() async throws {
        let panel = try panel(.left, showing: 30)
        let service = try service(panel)
        var states = hub.source.notifications(of: NotificationFilter([.state])).makeAsyncIterator()
        #expect(await states.read() == service.state(of: .left).map { .state($0) })
        async let watched: Void = service.watch(panel, now: { .after(.seconds(5)) })
        panel.step = 70
        panel.hint()
        let state = try #require(await states.read()?.displayState)
        #expect(state.baseline == .at(0.7))
        #expect(state.cause == Cause(.external, at: Moment.after(.seconds(5)).wall))
        panel.end()
        await watched
    }
}
