// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct BatchTests {
    private let fixture: DisplayServiceFixture

    init() throws { fixture = try DisplayServiceFixture(showing: 30) }

    @Test func `waiting commands become one write and one revision, and are answered in order`() throws {
        let results = fixture.submit(.set(0.5), .boost(by: "a"), .move(delta: 0.1), .restore(holder: "a"), .set(0.7))
        #expect(results.count == 0)
        #expect(fixture.queue.count == 1)
        fixture.queue.runAll()
        let answers = try results.all.map { try $0.get() }
        #expect(answers.map(\.state) == Array(repeating: fixture.state, count: 5))
        #expect(answers.map { $0.events.map(\.change) } == [[], [.granted], [], [.released], []])
        #expect(fixture.state.baseline == .at(0.7))
        #expect(fixture.state.revision == Revision(2))
        #expect(fixture.panel.writes == [70])
        #expect(fixture.posted.last == .state(fixture.state))
    }

    /// Submits a command without running the queue.
    private func submit(_ action: Command.Action, _ followers: Command.Action...)
        -> Collected<Result<CommandSuccess, CommandError>>
    {
        let results = Collected<Result<CommandSuccess, CommandError>>()
        var command = Command(action)
        command.followers = followers
        fixture.service.submit(command, to: .left, at: .start) { results.append($0) }
        return results
    }

    @Test func `a command is carried out with its followers before the command after it`() throws {
        let results = submit(.boost(0.9, by: "a"), .set(0.5), .restore(holder: "a"))
        let later = submit(.set(0.4))
        fixture.queue.runAll()
        #expect(try results.all.map { try $0.get().events.map(\.change) } == [[.granted, .released]])
        #expect(later.count == 1)
        #expect(fixture.state.baseline == .at(0.4))
        #expect(fixture.panel.writes == [40])
    }

    @Test func `a command with a follower that fails changes nothing`() throws {
        let results = submit(.set(0.5), .release(.number(7)))
        fixture.queue.runAll()
        #expect(throws: CommandError.lease(.unknown)) { try results.all[0].get() }
        #expect(fixture.state.baseline == .at(0.3))
        #expect(fixture.panel.writes == [])
    }

    @Test func `commands that cancel out cause no write and no notification`() throws {
        let before = fixture.state
        let results = fixture.submit(.set(0.5), .set(0.3))
        fixture.queue.runAll()
        #expect(try results.all.map { try $0.get().state } == [before, before])
        #expect(fixture.panel.writes == [])
        #expect(fixture.posted == [])
    }

    @Test(arguments: [LeaseKind.boost, .sleep])
    func `a lease that was over before the panel could be written changes no panel`(kind: LeaseKind) throws {
        let time = Collected<Moment>()
        let fixture = try DisplayServiceFixture(showing: 30, isSwitchable: true, now: { time.all.last ?? .start })
        let results = fixture.submit(.lease(kind, by: "a", for: .seconds(1)))
        // The panel hung for five seconds.
        time.append(.after(.seconds(5)))
        fixture.queue.runAll()
        #expect(try results.all[0].get().events.map(\.change) == [.granted])
        #expect(fixture.panel.writes == [] && fixture.panel.switches == [])
        #expect(fixture.service.leases(of: .left)?.isEmpty == true)
        let told = fixture.posted.compactMap { posted -> LeaseChange? in
            if case .lease(let event, _) = posted { event.change } else { nil }
        }
        // Both are one post, of which the end is left.
        #expect(told == [.expired])
        #expect(fixture.state.brightness == .at(0.3))
    }

    @Test func `commands during a slow write become one more write`() throws {
        let panel = fixture.panel
        let hub = NotificationHub()
        let services = Collected<DisplayService>()
        let results = Collected<Double>()
        let busy = BusyPanel(panel: panel) { step in
            guard step == 50 else { return }
            for percent in 61...90 {
                services.all[0].submit(Command(.set(.step(percent))), to: .left, at: .start) { result in
                    results.append((try? result.get().state.brightness.fraction) ?? .nan)
                }
            }
            #expect(results.count == 0)
        }
        let queue = ManualQueue()
        services.append(try DisplayService([.init(busy, on: queue)], poster: hub.poster, at: .start))
        services.all[0].submit(Command(.set(.step(50))), to: .left, at: .start) { _ in }
        queue.runAll()
        #expect(panel.writes == [50, 90])
        #expect(results.all == Array(repeating: 0.9, count: 30))
        services.removeAll()
    }

    @Test func `the commands after the first one of a turn are one write and one revision`() throws {
        let (panel, results, turn) = (fixture.panel, Collected<Double>(), CommandTurn())
        let service = try DisplayService([.init(panel, on: ImmediateQueue())], poster: fixture.hub.poster, at: .start)
        for percent in [50, 60, 70] {
            service.submit(Command(.set(.step(percent))), to: [.left], at: .start, in: turn) { _, result in
                results.append((try? result.get().state.brightness.fraction) ?? .nan)
            }
        }
        #expect(panel.writes == [50])
        #expect(results.all == [0.5])
        turn.end()
        #expect(panel.writes == [50, 70])
        #expect(results.all == [0.5, 0.7, 0.7])
    }

    @Test func `a completion may submit another command`() throws {
        let answers = Collected<Int>()
        let fixture = fixture
        fixture.service.submit(Command(.set(.step(50))), to: .left, at: .start) { first in
            answers.append((try? first.get().state.step) ?? -1)
            fixture.service.submit(Command(.set(.step(60))), to: .left, at: .start) { second in
                answers.append((try? second.get().state.step) ?? -1)
            }
        }
        fixture.queue.runAll()
        #expect(answers.all == [50, 60])
        #expect(fixture.panel.writes == [50, 60])
    }

    @Test func `an invalid command fails alone`() throws {
        let results = fixture.submit(.set(0.5), .set(.step(999)), .release(LeaseID("never")), .boost(by: "a"))
        fixture.queue.runAll()
        #expect(throws: CommandError.outOfRange(fixture.state.range)) { try results.all[1].get() }
        #expect(throws: CommandError.lease(.unknown)) { try results.all[2].get() }
        #expect(try results.all[0].get().state == fixture.state)
        #expect(try results.all[3].get().state == fixture.state)
        #expect(fixture.state.baseline == .at(0.5))
        #expect(fixture.panel.writes == [100])
    }

    @Test func `of two commands with the same condition the second fails`() throws {
        let results = fixture.submit(.set(0.5), .set(0.6), onlyAt: [Revision(1)])
        fixture.queue.runAll()
        #expect(try results.all[0].get().state.baseline == .at(0.5))
        #expect(throws: CommandError.otherRevision) { try results.all[1].get() }
        #expect(fixture.panel.writes == [50])
    }
}

@Suite(.timeLimit(.minutes(10)))
struct FailingBatchTests {
    private let fixture: DisplayServiceFixture

    init() throws { fixture = try DisplayServiceFixture(showing: 30) }

    @Test(arguments: [Command.Action.set(0.5), .set(.step(50)), .move(delta: 0.1), .boost(by: "a")])
    func `a demand that the panel rejects fails and changes nothing`(action: Command.Action) throws {
        let before = fixture.state
        fixture.panel.failWrites(.refused)
        #expect(throws: CommandError.panel(.refused)) { try fixture.perform(action) }
        #expect(fixture.state == before)
        #expect(fixture.posted == [.failure(.left, .refused)])
        #expect(fixture.service.leases(of: .left)?.isEmpty == true)
        #expect(fixture.panel.step == 30)
        let writes = fixture.panel.writes
        try fixture.perform(.tick, at: .after(.seconds(3_600)))
        #expect(fixture.state == before)
        #expect(fixture.panel.writes == writes)
    }

    @Test func `the queue of a hanging panel is limited`() throws {
        let results = fixture.submit(.set(0.5))
        for _ in 0..<2_000 {
            fixture.service.submit(Command(.set(0.6), requester: .client), to: .left, at: .start) { results.append($0) }
        }
        let busy = results.all.count { if case .failure(.busy) = $0 { true } else { false } }
        #expect(busy == results.all.count)
        #expect(busy > 900)
        fixture.queue.runAll()
        #expect(results.all.count == 2_001)
        #expect(fixture.panel.step == 60)
    }

    @Test func `all demands of a batch fail together, and releases hold`() throws {
        try fixture.perform(.boost(by: "a"))
        fixture.panel.failWrites(.refused)
        let results = fixture.submit(.set(0.5), .restore(holder: "a"), .boost(0.6, by: "b"))
        fixture.queue.runAll()
        #expect(throws: CommandError.panel(.refused)) { try results.all[0].get() }
        #expect(try results.all[1].get().events.map(\.change) == [.released])
        #expect(throws: CommandError.panel(.refused)) { try results.all[2].get() }
        #expect(fixture.state.baseline == .at(0.3))
        #expect(fixture.state.boost == nil)
        #expect(fixture.service.leases(of: .left)?.isEmpty == true)
        #expect(fixture.posted.compactMap(\.leaseEvent?.change) == [.granted, .released])
    }

    @Test func `an invalid command keeps its own error`() throws {
        fixture.panel.failWrites(.refused)
        let results = fixture.submit(.set(0.5), .set(.step(999)), .release(LeaseID("never")))
        fixture.queue.runAll()
        #expect(throws: CommandError.panel(.refused)) { try results.all[0].get() }
        #expect(throws: CommandError.outOfRange(fixture.state.range)) { try results.all[1].get() }
        #expect(throws: CommandError.lease(.unknown)) { try results.all[2].get() }
    }

    @Test(arguments: [Command.Action.boost(by: "a"), .set(0.9)])
    func `a step that the kernel stored but the driver rejected is reverted`(action: Command.Action) throws {
        // The kernel stores the step before it calls the driver, and keeps it if the driver fails.
        fixture.panel.failWrites(.refused, takingStep: true)
        #expect(throws: CommandError.panel(.refused)) { try fixture.perform(action) }
        try fixture.perform(.refresh())
        #expect(fixture.state.baseline == .at(0.3))
        #expect(fixture.state.cause.kind != .external)
        try fixture.perform(.tick, at: .after(.seconds(30)))
        #expect(fixture.panel.step == 30)
        #expect(fixture.state.isAvailable)
    }
}
