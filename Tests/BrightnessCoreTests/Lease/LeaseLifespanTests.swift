// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

/// The lifespans of leases, in addition to their time limit.
@Suite(.timeLimit(.minutes(10)))
struct LeaseLifespanTests {
    private let fixture: DisplayServiceFixture

    init() throws { fixture = try DisplayServiceFixture(showing: 30) }

    private func boost(_ lifespan: LeaseLifespan, ttl: Duration? = nil) -> Command.Action {
        .grant(LeaseRequest(lifespan: lifespan, ttl: ttl, holder: "kiosk"))
    }

    private func open(at seconds: Double) {
        fixture.service.streamOpened(by: ["kiosk"], of: .daemon, at: .after(.seconds(seconds)))
        fixture.queue.runAll()
    }

    private func close(at seconds: Double) {
        fixture.service.streamClosed(by: ["kiosk"], of: .daemon, at: .after(.seconds(seconds)))
        fixture.queue.runAll()
    }

    private func changes(at seconds: Double) throws -> [LeaseChange] {
        try fixture.perform(.tick, at: .after(.seconds(seconds))).events.map(\.change)
    }

    @Test(
        arguments: [
            (LeaseLifespan.custom, nil, .seconds(300)),
            (.custom, .seconds(60), .seconds(60)),
            (.visible, nil, nil),
            (.visible, .seconds(60), .seconds(60)),
            (.lifetime, nil, nil),
        ] as [(LeaseLifespan, Duration?, Duration?)]
    )
    func `only custom leases have a default limit`(lifespan: LeaseLifespan, ttl: Duration?, limit: Duration?) throws {
        open(at: 0)
        let lease = try #require(try fixture.perform(boost(lifespan, ttl: ttl)).events.first?.lease)
        #expect(lease.end == limit.map { .after($0) })
        #expect(fixture.state.boost?.until == limit.map { Moment.after($0).wall })
    }

    @Test func `a visible boost lasts as long as its holder's stream plus ten seconds for a reconnect`() throws {
        open(at: 0)
        try fixture.perform(boost(.visible))
        #expect(try changes(at: 3_600) == [])
        close(at: 4_000)
        #expect(try changes(at: 4_009.9) == [])
        #expect(fixture.panel.step == 100)
        #expect(try changes(at: 4_010) == [.disconnected])
        #expect(fixture.panel.step == 30)
        #expect(fixture.state.cause.kind == .disconnected)
    }

    @Test func `reconnecting within the grace period keeps the boost`() throws {
        open(at: 0)
        try fixture.perform(boost(.visible))
        close(at: 100)
        open(at: 109)
        #expect(try changes(at: 200) == [])
        #expect(fixture.panel.step == 100)
    }

    @Test func `the grace period counts from the close of the stream, however late the display gets there`() throws {
        open(at: 0)
        try fixture.perform(boost(.visible))
        fixture.service.streamClosed(by: ["kiosk"], of: .daemon, at: .after(.seconds(100)))
        // The panel hangs, and a later change finds its chore waiting.
        fixture.service.streamOpened(by: ["other"], of: .daemon, at: .after(.seconds(107)))
        fixture.queue.runAll()
        let lease = try #require(fixture.service.leases(of: .left)?.all.first)
        #expect(lease.graceEnd == .after(.seconds(110)))
        #expect(try changes(at: 110) == [.disconnected])
    }

    @Test func `a holder that closed its stream long ago has the grace period of a new lease`() throws {
        open(at: 0)
        close(at: 1)
        try fixture.perform(boost(.visible), at: .after(.seconds(50)))
        #expect(fixture.service.leases(of: .left)?.all.first?.graceEnd == .after(.seconds(60)))
        // Another holder's change does not move it.
        fixture.service.streamOpened(by: ["other"], of: .daemon, at: .after(.seconds(51)))
        fixture.queue.runAll()
        #expect(fixture.service.leases(of: .left)?.all.first?.graceEnd == .after(.seconds(60)))
    }

    @Test func `a lease whose grace period was over when its holder came back ends`() throws {
        open(at: 0)
        try fixture.perform(boost(.visible))
        close(at: 1)
        fixture.service.streamOpened(by: ["kiosk"], of: .daemon, at: .after(.seconds(12)))
        fixture.queue.runAll()
        #expect(fixture.service.leases(of: .left)?.isEmpty == true)
    }

    @Test func `a lease in its grace period says when it ends`() throws {
        open(at: 0)
        try fixture.perform(boost(.visible, ttl: .seconds(600)))
        #expect(fixture.state.boost?.until == Moment.after(.seconds(600)).wall)
        close(at: 100)
        #expect(fixture.state.boost?.until == Moment.after(.seconds(110)).wall)
        let told = fixture.posted.compactMap { posted -> LeaseEvent? in
            if case .lease(let event, _) = posted { event } else { nil }
        }
        #expect(told.map(\.change) == [.granted, .renewed])
        #expect(told.last?.lease.graceEnd == .after(.seconds(110)))
        open(at: 105)
        #expect(fixture.state.boost?.until == Moment.after(.seconds(600)).wall)
        #expect(fixture.service.leases(of: .left)?.all.first?.graceEnd == nil)
    }

    @Test func `the last of several streams counts`() throws {
        open(at: 0)
        open(at: 1)
        try fixture.perform(boost(.visible))
        close(at: 2)
        #expect(try changes(at: 100) == [])
        close(at: 101)
        #expect(try changes(at: 111) == [.disconnected])
    }

    @Test func `a holder without a stream has the grace period to open one`() throws {
        try fixture.perform(boost(.visible))
        open(at: 9)
        #expect(try changes(at: 60) == [])
        try fixture.perform(.restore(holder: "kiosk"), at: .after(.seconds(60)))
        close(at: 61)
        try fixture.perform(boost(.visible), at: .after(.seconds(70)))
        #expect(try changes(at: 80) == [.disconnected])
    }

    @Test func `a time limit ends a visible boost even while its holder is connected`() throws {
        open(at: 0)
        try fixture.perform(boost(.visible, ttl: .seconds(60)))
        #expect(try changes(at: 60) == [.expired])
    }

    @Test func `other lifespans do not depend on streams`() throws {
        open(at: 0)
        try fixture.perform(boost(.lifetime))
        try fixture.perform(.boost(by: "other", for: .seconds(600)))
        close(at: 1)
        #expect(try changes(at: 599) == [])
        #expect(try changes(at: 600) == [.expired])
        #expect(fixture.panel.step == 100)
        #expect(fixture.service.leases(of: .left)?.all.map(\.holder) == ["kiosk"])
    }

    @Test func `boosting again may change the lifespan`() throws {
        open(at: 0)
        try fixture.perform(boost(.visible))
        try fixture.perform(boost(.lifetime))
        close(at: 1)
        #expect(try changes(at: 3_600) == [])
        try fixture.perform(boost(.custom), at: .after(.seconds(3_600)))
        #expect(try changes(at: 3_900) == [.expired])
    }
}
