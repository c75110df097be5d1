// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// Withdrawn displays, and ids that both a panel and another daemon use.
@Suite(.timeLimit(.minutes(10)))
struct WithdrawalTests {
    private let hub = NotificationHub()
    private let queue = ManualQueue()
    private let service: DisplayService
    private let reported: Listener

    init() throws {
        service = try DisplayService([], .init(makeLeaseID: LeaseID.counting()), poster: hub.poster, at: .start)
        reported = hub.source.listen(to: NotificationFilter([.state, .lease, .display])) {}
    }

    /// Must not receive a command: the test fails if it does.
    private let other = OtherDaemon { Issue.record("sent \($0.action) to another daemon") }

    private func registration(_ id: DisplayID, showing step: Int = 30, comesAndGoes: Bool = false)
        -> DisplayService.PanelRegistration
    {
        DisplayService.PanelRegistration(
            ScriptedPanel(id, range: BrightnessRange(maximum: 100)!, step: step),
            on: queue,
            comesAndGoes: comesAndGoes
        )
    }

    private func run(_ action: Command.Action, on id: DisplayID) -> Collected<Result<CommandSuccess, CommandError>> {
        let results = Collected<Result<CommandSuccess, CommandError>>()
        service.submit(Command(action), to: id, at: .start) { results.append($0) }
        return results
    }

    @discardableResult
    private func mirror(_ id: DisplayID, _ fraction: Double = 0.7, leases: [Lease] = []) -> Bool {
        service.mirror(.mirrored(id, fraction), leases: leases, executedBy: other, at: .start)
    }

    private func isUnknown(_ result: Result<CommandSuccess, CommandError>?) -> Bool {
        if case .failure(.unknownDisplay) = result { true } else { false }
    }

    @Test func `a withdrawn display is not known any more`() throws {
        try service.add(registration(.left), at: .start)
        try service.add(registration(.right), at: .start)
        _ = run(.boost(by: "a"), on: .left)
        queue.runAll()
        _ = reported.drain()
        service.withdraw(own: .left)
        #expect(service.state(of: .left) == nil)
        #expect(service.leases(of: .left) == nil)
        #expect(service.writes(of: .left) == nil)
        #expect(service.displays == [.right])
        #expect(service.defaultState?.id == .right)
        #expect(isUnknown(run(.set(0.5), on: .left).all.first))
        let news = reported.drain()
        #expect(news.compactMap(\.leaseEvent?.change) == [.stopped])
        #expect(news.last == .display(.left, .removed, at: service.revision))
        service.withdraw(own: .right)
        #expect(service.defaultState == nil)
        #expect(service.all.states.isEmpty)
    }

    @Test func `a retired panel is switched on without a pause, and later commands find no display`() throws {
        let panel = ScriptedPanel(
            .left,
            range: BrightnessRange(maximum: 100)!,
            step: 30,
            isSwitchable: true,
            switchInterval: .seconds(10)
        )
        try service.add(.init(panel, on: queue), at: .start)
        _ = run(.lease(.sleep), on: .left)
        queue.runAll()
        service.retire(own: .left, because: "withdrawn", at: .after(.seconds(1)))
        let later = run(.set(0.5), on: .left)
        queue.runAll()
        #expect(panel.switches == [false, true])
        #expect(isUnknown(later.all.first))
        #expect(service.displays.isEmpty)
    }

    @Test func `an executing command does not bring a withdrawn display back`() throws {
        try service.add(registration(.left), at: .start)
        let results = run(.set(0.5), on: .left)
        service.withdraw(own: .left)
        let revision = service.revision
        _ = reported.drain()
        queue.runAll()
        #expect(isUnknown(results.all.first))
        #expect(reported.drain().isEmpty)
        #expect(service.revision == revision)
        #expect(service.displays.isEmpty)
    }

    @Test func `an executing command for a withdrawn display does not change a later display with its id`() throws {
        try service.add(registration(.left), at: .start)
        let results = run(.set(0.5), on: .left)
        service.withdraw(own: .left)
        mirror(.left, 0.7)
        queue.runAll()
        #expect(isUnknown(results.all.first))
        #expect(service.state(of: .left)?.brightness == .at(0.7))
    }

    @Test func `a panel replaces a mirrored display with the same id and ends its boosts`() throws {
        let lease = Lease.held(on: .left)
        mirror(.left, leases: [lease])
        _ = reported.drain()
        try service.add(registration(.left), at: .start)
        let state = try #require(service.state(of: .left))
        #expect((state.kind, state.brightness) == (.backlight, .at(0.3)))
        #expect(service.displays == [.left])
        #expect(service.leases(of: .left)?.isEmpty == true)
        let news = reported.drain()
        #expect(news.compactMap(\.leaseEvent) == [LeaseEvent(lease, .stopped)])
        #expect(news.suffix(2) == [.state(state), .display(.left, .added, at: state.revision)])
        let results = run(.set(0.5), on: .left)
        queue.runAll()
        #expect(try results.all.first?.get().state.brightness == .at(0.5))
    }

    @Test func `this machine's displays are listed without the mirrored ones, also when one takes an id`() throws {
        mirror(.left)
        try service.add(registration(.right), at: .start)
        #expect(service.own.map(\.id) == [.right])
        try service.add(registration(.left), at: .start)
        #expect(service.own.map(\.id) == [.right, .left])
        service.withdraw(own: .left)
        mirror(.left)
        #expect(service.own.map(\.id) == [.right])
        #expect(service.displays == [.right, .left])
    }

    @Test func `a mirrored display and its withdrawal do not affect a panel with the same id`() throws {
        mirror(.left)
        try service.add(registration(.left, comesAndGoes: true), at: .start)
        _ = reported.drain()
        #expect(!mirror(.left, 0.9))
        service.withdraw(mirrored: .left)
        #expect(reported.drain().isEmpty)
        #expect(service.state(of: .left)?.kind == .backlight)
        service.withdraw(own: .left)
        #expect(mirror(.left, 0.9))
        #expect(service.state(of: .left)?.kind == .remote)
    }

    @Test func `a second panel with the same id is rejected, and the first one stays`() throws {
        try service.add(registration(.left), at: .start)
        _ = reported.drain()
        #expect(throws: DeviceError.taken(.left)) { try service.add(registration(.left, showing: 80), at: .start) }
        #expect(service.state(of: .left)?.brightness == .at(0.3))
        #expect(reported.drain().isEmpty)
    }

    @Test func `displays that come and go are not listed any more`() throws {
        try service.add(registration(.right), at: .start)
        let ids = try (0..<2_000).map { try #require(DisplayID("hall:\($0)")) }
        for id in ids {
            mirror(id)
            service.withdraw(mirrored: id)
        }
        #expect(service.displays == [.right])
        for id in ids { mirror(id) }
        for id in ids.dropLast() { service.withdraw(mirrored: id) }
        #expect(service.displays == [.right, ids.last])
        #expect(service.all.states.map(\.id) == [.right, ids.last])
        #expect(ids.allSatisfy { (service.state(of: $0) == nil) == ($0 != ids.last) })
    }

    /// `other` executes the commands for the mirrored display: any command to it fails the test.
    @Test func `opening and closing a holder's stream affects only the displays of this machine`() throws {
        try service.add(registration(.right), at: .start)
        mirror(.left)
        _ = run(.grant(LeaseRequest(lifespan: .visible, holder: "page")), on: .right)
        queue.runAll()
        service.streamOpened(by: ["page"], of: .daemon, at: .start)
        queue.runAll()
        #expect(service.store[.right]?.deadline == nil)
        service.streamClosed(by: ["page"], of: .daemon, at: .start)
        queue.runAll()
        #expect(service.store[.right]?.deadline == Moment.start.instant + LeaseTable.grace)
    }

    @Test func `a display that was withdrawn while its panel hung is not reported as stuck`() throws {
        try service.add(registration(.left), at: .start)
        #expect(service.stuckDisplays(at: Moment.start.instant).isEmpty)
        let later = Moment.start.instant + DisplayService.queueTimeout
        #expect(service.stuckDisplays(at: later) == [.left])
        service.withdraw(own: .left)
        #expect(service.stuckDisplays(at: later).isEmpty)
    }
}

extension DisplayState {
    /// The state that another daemon reports.
    fileprivate static func mirrored(_ id: DisplayID, _ fraction: Double) -> DisplayState {
        DisplayState(
            id: id,
            name: "hall: Panel",
            kind: .remote,
            range: BrightnessRange(maximum: 100)!,
            brightness: .at(fraction),
            baseline: .at(fraction),
            step: Int(fraction * 100),
            automatic: .off,
            cause: Cause(.mqtt, at: Moment.start.wall),
            revision: Revision(0)
        )
    }
}

extension Lease {
    fileprivate static func held(on id: DisplayID) -> Lease {
        Lease(
            id: LeaseID("held"),
            display: id,
            holder: "a",
            grantedAt: Moment.start.wall,
            brightness: .full,
            reason: nil,
            lifespan: .lifetime,
            end: nil
        )
    }
}
