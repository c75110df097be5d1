// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// Displays that come and go while the daemon runs.
@Suite(.timeLimit(.minutes(10)))
struct HotplugTests {
    private let hub = NotificationHub()
    private let panel = ScriptedPanel(.left, range: BrightnessRange(maximum: 100)!, step: 30)
    private let service: DisplayService
    private let reported: Listener

    init() throws {
        service = try DisplayService(
            [DisplayService.PanelRegistration(panel, on: ImmediateQueue(), comesAndGoes: true)],
            .init(
                earlier: [.right: RecoveredRecord(.leftBoosted(.right), isOfThisBoot: true)],
                makeLeaseID: LeaseID.counting()
            ),
            poster: hub.poster,
            at: .start
        )
        reported = hub.source.listen(to: NotificationFilter([.state, .lease, .display])) {}
        _ = reported.drain()
    }

    private func perform(_ action: Command.Action) -> Result<CommandSuccess, CommandError>? {
        let results = Collected<Result<CommandSuccess, CommandError>>()
        service.submit(Command(action), to: .left, at: .start) { results.append($0) }
        return results.all.first
    }

    private func unplug() {
        panel.failReads(.gone, times: .max)
        panel.failWrites(.gone, times: .max)
        _ = perform(.refresh())
    }

    private func plug(showing step: Int) {
        panel.heal()
        panel.step = step
        _ = perform(.refresh())
    }

    @Test func `a lease that ends in the batch of its display's return is reported as ended`() throws {
        _ = perform(.boost(by: "kiosk"))
        unplug()
        _ = reported.drain()
        panel.heal()
        // Nobody reported that the panel is back: the command itself finds it.
        _ = perform(.restore(holder: "kiosk"))
        let ends = reported.drain().compactMap { posted -> LeaseChange? in
            if case .lease(let event, _) = posted { event.change } else { nil }
        }
        #expect(ends == [.released])
        #expect(service.all.states.map(\.id) == [.left])
    }

    @Test func `a visible lease goes on when its display is plugged in while its holder is connected`() throws {
        var (record, page) = (DisplayRecord.leftBoosted(.right), Lease.of("page", on: .right))
        (page.lifespan, page.end) = (.visible, nil)
        record.leases = [page]
        let other = ScriptedPanel(.right, range: BrightnessRange(maximum: 100)!, step: 100)
        let service = try DisplayService(
            [],
            .init(earlier: [.right: RecoveredRecord(record, isOfThisBoot: true)]),
            poster: NotificationHub().poster,
            at: .start
        )
        service.streamOpened(by: ["page"], of: page.principal, at: .after(.seconds(1)))
        try service.add(.init(other, on: ImmediateQueue()), at: .after(.seconds(30)))
        #expect(service.leases(of: .right)?.all.map(\.graceEnd) == [nil])
        service.tick(at: .after(.seconds(60)))
        #expect(service.leases(of: .right)?.all.count == 1)
    }

    @Test func `a display that cannot be opened at first continues its record later`() throws {
        let other = ScriptedPanel(.right, range: BrightnessRange(maximum: 100)!, step: 100)
        other.failReads(.gone, times: 1)
        #expect(throws: DeviceError.self) { try service.add(.init(other, on: ImmediateQueue()), at: .start) }
        try service.add(.init(other, on: ImmediateQueue()), at: .start)
        #expect(service.state(of: .right)?.baseline == .at(0.2))
    }

    @Test func `a display that was retired comes back as it was, and not as the earlier run has left it`() throws {
        var record = DisplayRecord.leftBoosted(.right)
        record.leases = [.of("page", on: .right)]
        let service = try DisplayService(
            [],
            .init(journal: KeptRecords(), earlier: [.right: RecoveredRecord(record, isOfThisBoot: true)]),
            poster: hub.poster,
            at: .start
        )
        let other = ScriptedPanel(.right, range: BrightnessRange(maximum: 100)!, step: 100)
        try service.add(.init(other, on: ImmediateQueue()), at: .start)
        #expect(service.leases(of: .right)?.all.count == 1)
        for action in [Command.Action.restoreAll(), .set(0.7)] {
            service.submit(Command(action), to: .right, at: .start) { _ in }
        }
        service.retire(own: .right, because: "replaced", at: .start)
        try service.add(.init(other, on: ImmediateQueue()), at: .start)
        #expect(service.leases(of: .right)?.all == [])
        #expect(service.state(of: .right)?.baseline == .at(0.7))
    }

    @Test func `a forgotten display does not continue its record`() throws {
        let other = ScriptedPanel(.right, range: BrightnessRange(maximum: 100)!, step: 100)
        try service.add(.init(other, on: ImmediateQueue()), at: .start)
        service.retire(own: .right, because: "withdrawn", at: .start)
        service.forget(.right, of: nil)
        other.step = 100
        try service.add(.init(other, on: ImmediateQueue()), at: .start)
        #expect(service.state(of: .right)?.baseline == .full)
    }

    @Test func `an unplugged display is removed from the list, and is still known by its id`() throws {
        unplug()
        #expect(service.all.states.isEmpty)
        #expect(service.displays == [.left])
        let state = try #require(service.state(of: .left))
        #expect(!state.isAvailable)
        #expect(service.defaultState == state)
        #expect(reported.drain().suffix(2) == [.state(state), .display(.left, .removed, at: state.revision.next)])
        #expect(hub.source.retained(.state, of: .left) == nil)
        let refused = perform(.set(0.5))
        guard case .failure(.panel(.absent)) = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
        #expect(reported.drain().isEmpty)
    }

    @Test func `a display that returns is published with its boosts, and its panel is written`() throws {
        _ = perform(.boost(0.8, by: "a"))
        unplug()
        _ = reported.drain()
        plug(showing: 10)
        let state = try #require(service.all.states.first)
        #expect(panel.step == 80)
        #expect(state.isAvailable)
        #expect(state.baseline == .at(0.3))
        let news = reported.drain()
        #expect(news.compactMap(\.leaseEvent?.change) == [.granted])
        #expect(news.suffix(2) == [.state(state), .display(.left, .added, at: state.revision)])
        #expect(hub.source.retained(.state, of: .left) == .state(state))
    }

    @Test func `a boost that ends while the display is unplugged is not shown afterwards`() throws {
        _ = perform(.boost(0.8, by: "a"))
        unplug()
        _ = reported.drain()
        _ = perform(.restore(holder: "a"))
        #expect(reported.drain().compactMap(\.leaseEvent?.change) == [.released])
        plug(showing: 80)
        #expect(panel.step == 30)
        #expect(service.state(of: .left)?.boost == nil)
    }

    @Test func `a new display is published and continues from an earlier run`() throws {
        let right = ScriptedPanel(.right, range: BrightnessRange(maximum: 100)!, step: 100)
        try service.add(DisplayService.PanelRegistration(right, on: ImmediateQueue()), at: .start)
        #expect(service.all.states.map(\.id) == [.left, .right])
        #expect(right.step == 20)
        let state = try #require(service.state(of: .right))
        #expect(state.baseline == .at(0.2))
        #expect(state.cause.kind == .recovered)
        #expect(reported.drain().contains(.display(.right, .added, at: Revision(2))))
    }

    @Test func `an unreadable display is not added`() throws {
        let right = ScriptedPanel(.right, range: BrightnessRange(maximum: 100)!, step: 100)
        right.failReads(.gone)
        #expect(throws: DeviceError.gone) {
            try service.add(DisplayService.PanelRegistration(right, on: ImmediateQueue()), at: .start)
        }
        #expect(service.displays == [.left])
        #expect(reported.drain().isEmpty)
    }

    @Test func `a withdrawn simulated display is not published again`() throws {
        let right = ScriptedPanel(.right, range: BrightnessRange(maximum: 100)!, step: 100)
        try service.add(DisplayService.PanelRegistration(right, on: ImmediateQueue()), at: .start)
        _ = reported.drain()
        service.withdraw(own: .left)
        service.withdraw(own: .left)
        #expect(reported.drain() == [.display(.left, .removed, at: service.revision)])
        #expect(service.all.states.map(\.id) == [.right])
        #expect(service.defaultState?.id == .right)
        _ = perform(.set(0.7))
        #expect(reported.drain().isEmpty)
        #expect(service.all.states.map(\.id) == [.right])
    }

    @Test func `a permanent display is published as unavailable`() throws {
        let right = ScriptedPanel(.right, range: BrightnessRange(maximum: 100)!, step: 100)
        try service.add(DisplayService.PanelRegistration(right, on: ImmediateQueue()), at: .start)
        right.failReads(.gone, times: .max)
        service.submit(Command(.refresh()), to: .right, at: .start) { _ in }
        #expect(service.all.states.map(\.id) == [.left, .right])
        #expect(service.state(of: .right)?.isAvailable == false)
    }
}

extension DisplayRecord {
    /// At 20 of 100, and raised to 100 by an expired lease.
    fileprivate static func leftBoosted(_ id: DisplayID) -> DisplayRecord {
        DisplayRecord(id: id, maximum: 100, baseline: .at(0.2), baselineStep: 20, floor: 20, ceiling: 100)
    }
}
