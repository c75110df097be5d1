// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore

/// How long the machine has slept.
private final class Sleep: Sendable {
    let total = Mutex(Duration.zero)
}

/// A switchable display that is dimmed to 10 % after 60 s and switched off after 300 s without activity.
private final class Fixture: Sendable {
    let hub = NotificationHub()
    let panel = ScriptedPanel(.left, range: BrightnessRange(maximum: 100)!, step: 80, isSwitchable: true)
    let displays: DisplayService
    let clock = ManualClock()
    let sleep = Sleep()
    let service: IdleService

    init(on queue: any JobQueue = ImmediateQueue(), dimAfter: Duration = .seconds(60)) throws {
        displays = try DisplayService(
            [.init(panel, on: queue)],
            poster: hub.poster,
            source: hub.source,
            at: clock.moment
        )
        service = IdleService(
            displays,
            IdleRules(dim: .init(after: dimAfter, brightness: .at(0.1)), sleepAfter: .seconds(300)),
            source: hub.source,
            now: { [clock] in clock.moment },
            slept: { [sleep] in sleep.total.withLock { $0 } }
        )
    }

    var state: DisplayState { displays.state(of: .left)! }

    /// The kinds of the leases of `idle`.
    var held: [LeaseKind] { leases.filter { $0.holder == "idle" && $0.principal == .daemon }.map(\.kind) }

    var leases: [Lease] { displays.leases(of: .left)?.all ?? [] }

    /// Evaluates after this time. Returns the next deadline.
    @discardableResult
    func evaluate(after time: Duration = .zero) -> Instant? {
        clock.advance(by: time)
        return service.evaluate()
    }

    /// Submits a client's command and returns the state in its answer. The service evaluates after each activity.
    @discardableResult
    func client(_ action: Command.Action) throws -> DisplayState {
        let answer = Mutex<Result<Answer, CommandError>?>(nil)
        let command = Command(action, asker: Asker(.anonymous, isAdmin: true))
        displays.submit(command, to: .left, at: clock.moment) { result in answer.withLock { $0 = result } }
        _ = service.evaluate()
        return try #require(answer.withLock { $0 }).get().state
    }
}

struct IdleServiceTests {
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    @Test func `a display is dimmed, then switched off, with the cause idle`() throws {
        #expect(fixture.evaluate() == fixture.clock.now + .seconds(60))
        #expect(fixture.evaluate(after: .seconds(60)) == fixture.clock.now + .seconds(240))
        #expect(fixture.panel.step == 10)
        #expect(fixture.state.cause.kind == .idle)
        #expect(fixture.state.cause.by == "idle")
        #expect(fixture.leases.map(\.end) == [nil])
        #expect(fixture.evaluate(after: .seconds(240)) == nil)
        #expect(fixture.panel.isOn == false)
        #expect(fixture.held == [.dim, .sleep])
    }

    @Test func `a command that a slow panel answers late counts when it is answered`() throws {
        let monitor = ManualQueue()
        let fixture = try Fixture(on: monitor)
        fixture.displays.submit(
            Command(.adjust(delta: 0.1), asker: Asker(.anonymous, isAdmin: true)),
            to: .left,
            at: fixture.clock.moment
        ) { _ in }
        fixture.clock.advance(by: .seconds(50))
        fixture.displays.reportActivity()
        monitor.runAll()
        fixture.evaluate()
        fixture.evaluate(after: .seconds(59))
        monitor.runAll()
        #expect(fixture.held == [])
    }

    @Test func `the answer to a PUT has the display without the leases of idle, in one write`() throws {
        fixture.evaluate(after: .seconds(300))
        let writes = fixture.panel.writes.count
        let state = try fixture.client(.set(0.5))
        #expect(state.dim == nil)
        #expect(state.sleep == nil)
        #expect(state.brightness == .at(0.5))
        #expect(state.cause.kind == .api)
        #expect(state.cause.by == nil)
        #expect(fixture.panel.isOn)
        #expect(fixture.panel.writes.count == writes + 1)
    }

    @Test(arguments: [LeaseKind.boost, .wake]) func `granting a boost or a wake ends them, renewing does not`(
        kind: LeaseKind
    ) throws {
        fixture.evaluate(after: .seconds(60))
        try fixture.client(.lease(kind, 1, by: "kiosk-3", for: .seconds(600)))
        #expect(fixture.held.isEmpty)
        // A person's hand: the lease is not in force any more, so the display is idle again.
        try fixture.client(.setPower(true))
        fixture.panel.step = 40
        try fixture.client(.refresh())
        fixture.evaluate(after: .seconds(60))
        #expect(fixture.held == [.dim])
        try fixture.client(.lease(kind, 1, by: "kiosk-3", for: .seconds(600)))
        #expect(fixture.held == [.dim])
    }

    @Test func `a dim and the end of a lease do not count as activity`() throws {
        try fixture.client(.boost(1, by: "kiosk-3", for: .seconds(600)))
        try fixture.client(.lease(.dim, 0.05, by: "film", for: .seconds(600)))
        fixture.evaluate(after: .seconds(120))
        #expect(fixture.held.isEmpty)
        try fixture.client(.restore(holder: "kiosk-3"))
        fixture.evaluate()
        #expect(fixture.held == [.dim])
        try fixture.client(.lease(.dim, 0.06, by: "book", for: .seconds(600)))
        #expect(fixture.held == [.dim])
    }

    @Test func `a request that fails does not count as activity`() throws {
        fixture.evaluate(after: .seconds(60))
        fixture.panel.failWrites(.refused)
        #expect(throws: CommandError.panel(.refused)) { try fixture.client(.set(0.05)) }
        #expect(fixture.held == [.dim])
    }

    @Test func `a schedule's changes do not count as activity, and its boost keeps the display bright`() throws {
        fixture.evaluate(after: .seconds(60))
        var command = Command(.set(0.5), by: "schedule:day")
        command.channel = .schedule
        fixture.displays.submit(command, to: .left, at: fixture.clock.moment) { _ in }
        #expect(fixture.held == [.dim])
        command.action = .grant(LeaseRequest(brightness: .full, lifespan: .lifetime, holder: "schedule:day"))
        fixture.displays.submit(command, to: .left, at: fixture.clock.moment) { _ in }
        fixture.evaluate()
        #expect(fixture.held.isEmpty)
        #expect(fixture.panel.step == 100)
    }

    @Test func `a person's hand overrides the dim until there is activity`() throws {
        fixture.evaluate(after: .seconds(60))
        fixture.panel.step = 40
        try fixture.client(.refresh())
        #expect(fixture.leases.map(\.isOverridden) == [true])
        fixture.evaluate(after: .seconds(100))
        #expect(fixture.panel.step == 40)
        try fixture.client(.set(0.6))
        fixture.evaluate()
        #expect(fixture.leases.isEmpty)
        fixture.evaluate(after: .seconds(300))
        #expect(fixture.panel.step == 10)
    }

    @Test func `a lease that an administrator ended is not granted again before activity`() throws {
        fixture.evaluate(after: .seconds(60))
        try fixture.client(.restoreAll())
        fixture.evaluate(after: .seconds(60))
        #expect(fixture.held.isEmpty)
    }

    @Test func `a lease that the panel refuses is requested again after 30 seconds`() throws {
        fixture.panel.failWrites(.refused)
        #expect(fixture.evaluate(after: .seconds(60)) != nil)
        #expect(fixture.held.isEmpty)
        fixture.evaluate(after: .seconds(29))
        #expect(fixture.held.isEmpty)
        fixture.evaluate(after: .seconds(1))
        #expect(fixture.held == [.dim])
    }

    @Test func `a lease that was refused and granted later is not granted once more`() throws {
        let fixture = try Fixture(dimAfter: .seconds(1))
        fixture.panel.failWrites(.refused)
        fixture.evaluate(after: .seconds(1))
        fixture.displays.reportActivity()
        fixture.evaluate()
        fixture.evaluate(after: .seconds(1))
        #expect(fixture.held == [.dim])
        try fixture.client(.restoreAll())
        fixture.evaluate(after: .seconds(30))
        #expect(fixture.held.isEmpty)
    }

    @Test func `a machine that wakes counts as used`() {
        fixture.sleep.total.withLock { $0 = .seconds(3_600) }
        #expect(fixture.evaluate(after: .seconds(3_600)) == fixture.clock.now + .seconds(60))
        #expect(fixture.held.isEmpty)
    }

    @Test func `reported activity ends the leases, with the cause idle`() async throws {
        let (fixture, done) = (fixture, AsyncStream.makeStream(of: Void.self))
        let listener = fixture.hub.source.listen(to: NotificationFilter([.brightness])) { done.continuation.yield() }
        let run = Task { await fixture.service.run(on: fixture.clock) }
        _ = try await fixture.clock.nextSleep()
        var changes = done.stream.makeAsyncIterator()
        _ = listener.drain()
        fixture.clock.advance(by: .seconds(60))
        await changes.next()
        _ = listener.drain()
        #expect(fixture.panel.step == 10)
        // The evaluation that granted the lease ends with the next sleep.
        _ = try await fixture.clock.nextSleep()
        fixture.displays.reportActivity()
        await changes.next()
        #expect(fixture.panel.step == 80)
        #expect(fixture.state.cause.kind == .idle)
        run.cancel()
        await run.value
    }
}
