// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// The owner of a lease, and the principals that may use it.
@Suite struct OwnershipTests {
    private let fixture: DisplayServiceFixture
    private static let maria = Requester(Principal("maria"), isAdmin: false)
    private static let otto = Requester(Principal("otto"), isAdmin: false)
    private static let boss = Requester(Principal("boss"), isAdmin: true)

    init() throws { fixture = try DisplayServiceFixture() }

    @discardableResult
    private func perform(_ action: Command.Action, by requester: Requester?) throws(CommandError) -> CommandSuccess {
        let results = Collected<Result<CommandSuccess, CommandError>>()
        fixture.service.submit(Command(action, requester: requester), to: .left, at: .start) { results.append($0) }
        fixture.queue.runAll()
        return try results.all[0].get()
    }

    private var leases: [Lease] { fixture.service.leases(of: .left)?.all ?? [] }

    @Test func `one holder name of two principals has two leases`() throws {
        try perform(.boost(0.6, by: "page"), by: Self.maria)
        try perform(.boost(0.8, by: "page"), by: Self.otto)
        #expect(try perform(.boost(0.7, by: "page"), by: Self.maria).events.map(\.change) == [.renewed])
        #expect(leases.map(\.principal.text) == ["maria", "otto"])
        #expect(fixture.state.brightness == .at(0.8))
    }

    @Test func `restore releases only the lease of this principal and holder`() throws {
        try perform(.boost(by: "page"), by: Self.maria)
        try perform(.boost(), by: Self.maria)
        #expect(try perform(.restore(holder: "page"), by: Self.otto).events.isEmpty)
        #expect(try perform(.restore(holder: nil), by: Self.boss).events.isEmpty)
        #expect(try perform(.restore(holder: "page"), by: Self.maria).events.map(\.change) == [.released])
        #expect(leases.map(\.holder) == [nil])
    }

    @Test(arguments: [Command.Action.renew(.number(1), LeaseRenewal(ttl: .seconds(5))), .release(.number(1))])
    func `another principal's lease is renewed and released only with the scope admin`(action: Command.Action) throws {
        try perform(.boost(by: "page"), by: Self.maria)
        let before = leases
        #expect(throws: CommandError.lease(.foreign)) { try perform(action, by: Self.otto) }
        #expect(leases == before)
        for requester in [Self.maria, Self.boss] {
            try perform(.boost(by: "page"), by: Self.maria)
            let id = try #require(leases.first?.id)
            if case .renew = action {
                try perform(.renew(id, LeaseRenewal(ttl: .seconds(5))), by: requester)
            } else {
                try perform(.release(id), by: requester)
            }
        }
    }

    @Test func `a stream keeps only its own principal's leases alive`() throws {
        for requester in [Self.maria, Self.otto] {
            try perform(.grant(LeaseRequest(lifespan: .visible, holder: "page")), by: requester)
        }
        fixture.service.streamOpened(by: ["page"], of: Self.otto.principal, at: .start)
        fixture.queue.runAll()
        fixture.service.tick(at: .after(.seconds(11)))
        fixture.queue.runAll()
        #expect(leases.map(\.principal.text) == ["otto"])
        #expect(fixture.state.cause.principal?.text == "maria")
        #expect(fixture.state.cause.kind == .disconnected)
    }

    @Test func `a cause has the principal of the client`() throws {
        try perform(.set(0.5), by: Self.maria)
        #expect(fixture.state.cause.principal?.text == "maria")
        try perform(.boost(by: "page"), by: Self.otto)
        try perform(.release(try #require(leases.first?.id)), by: Self.boss)
        #expect((fixture.state.cause.principal?.text, fixture.state.cause.by) == ("boss", "page"))
        fixture.panel.step = 90
        try perform(.refresh(), by: nil)
        #expect(fixture.state.cause.principal == nil)
    }

    @Test func `a gateway forwards no command for another principal's lease`() throws {
        let (id, forwarded) = (try #require(DisplayID("hall:y")), Collected<Command>())
        let other = OtherDaemon { forwarded.append($0) }
        let lease = Lease(
            id: LeaseID("l"),
            display: id,
            holder: "page",
            principal: Self.maria.principal,
            grantedAt: Moment.start.wall,
            brightness: .full,
            reason: nil,
            lifespan: .lifetime,
            end: nil
        )
        func mirror(_ leases: [Lease]) {
            var state = DisplayState.of(id)
            state.cause = .test
            fixture.service.mirror(state, leases: leases, executedBy: other, at: .start)
        }
        func refusal(of action: Command.Action, by requester: Requester) -> CommandError? {
            let results = Collected<Result<CommandSuccess, CommandError>>()
            fixture.service.submit(Command(action, requester: requester), to: id, at: .start) { results.append($0) }
            if case .failure(let error)? = results.all.first { return error }
            return nil
        }
        mirror([lease])
        for action in [Command.Action.release(lease.id), .renew(lease.id, LeaseRenewal(ttl: .seconds(5)))] {
            #expect(refusal(of: action, by: Self.otto) == .lease(.foreign))
            #expect(forwarded.all.isEmpty)
        }
        // An unknown lease may belong to any principal.
        #expect(refusal(of: .release(LeaseID("other")), by: Self.maria) == .lease(.unknown))
        for requester in [Self.maria, Self.boss] { #expect(refusal(of: .release(lease.id), by: requester) == nil) }
        #expect(forwarded.all.count == 2)
        mirror([])
        mirror([])
        #expect(refusal(of: .release(lease.id), by: Self.maria) == .lease(.ended))
    }
}
