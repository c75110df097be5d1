// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// A hanging panel whose queue is full of clients' commands. The daemon's own commands are never rejected.
@Suite(.timeLimit(.minutes(10)))
struct FullQueueTests {
    private let fixture: DisplayServiceFixture

    init() throws { fixture = try DisplayServiceFixture(showing: 30, queueLimit: 4) }

    /// Fills the queue with clients' commands at this time, and checks that no more are accepted.
    private func fill(at now: Moment = .start) {
        for _ in 0..<4 { _ = fixture.submit(.refresh(), requester: .client, at: now) }
        #expect(fixture.submit(.set(0.5), requester: .client, at: now).all.map(\.failure) == [.busy])
    }

    private func ofHolder(
        _ action: Command.Action,
        by holder: String = "schedule:night",
        at now: Moment = .start
    ) -> Collected<Result<CommandSuccess, CommandError>> {
        let results = Collected<Result<CommandSuccess, CommandError>>()
        var command = Command(action, by: holder)
        command.channel = .schedule
        fixture.service.submit(command, to: .left, at: now) { results.append($0) }
        return results
    }

    private func sleep(_ kind: LeaseKind = .dim, by holder: String = "schedule:night") -> Command.Action {
        .grant(LeaseRequest(kind, lifespan: .lifetime, holder: holder))
    }

    @Test func `a schedule's end is accepted by a full queue`() {
        _ = ofHolder(sleep())
        fixture.queue.runAll()
        #expect(fixture.panel.step == 20)
        fill()
        let end = ofHolder(.restore(holder: "schedule:night", kind: .dim))
        fixture.queue.runAll()
        #expect(end.all.map(\.isSuccess) == [true])
        #expect(fixture.panel.step == 30)
        #expect(fixture.service.leases(of: .left)?.isEmpty == true)
    }

    @Test func `the end of idle's leases before a stop is accepted by a full queue`() {
        var dim = Command(sleep(by: ReservedHolder.idle), by: ReservedHolder.idle)
        dim.channel = .idle
        fixture.service.submit(dim, to: .left, at: .start) { _ in }
        fixture.queue.runAll()
        fill()
        fixture.service.submit(.endOfIdle, to: .left, at: .start) { _ in }
        fixture.queue.runAll()
        #expect(fixture.panel.step == 30)
    }

    @Test func `a visible lease ends although its holder's last stream was closed while the queue was full`() throws {
        fixture.service.streamOpened(by: ["page"], of: .daemon, at: .start)
        try fixture.perform(.grant(LeaseRequest(lifespan: .visible, holder: "page")))
        fill(at: .after(.seconds(1)))
        fixture.service.streamClosed(by: ["page"], of: .daemon, at: .after(.seconds(1)))
        fixture.queue.runAll()
        #expect(fixture.service.store[.left]?.deadline == Moment.after(.seconds(11)).instant)
        #expect(try fixture.perform(.tick, at: .after(.seconds(11))).events.map(\.change) == [.disconnected])
    }

    @Test func `a visible lease stays although its holder returned while the queue was full`() throws {
        try fixture.perform(.grant(LeaseRequest(lifespan: .visible, holder: "page")))
        fill(at: .after(.seconds(9)))
        fixture.service.streamOpened(by: ["page"], of: .daemon, at: .after(.seconds(9)))
        fixture.queue.runAll()
        #expect(fixture.service.store[.left]?.deadline == nil)
    }

    @Test func `the wall clock is corrected by the newest time, also behind a full queue`() throws {
        try fixture.perform(.boost(by: "page", for: .seconds(60)))
        fill()
        for seconds in [100, 200] {
            let now = Moment.after(.seconds(10))
            let wall = Timestamp(milliseconds: now.wall.milliseconds + Int64(seconds) * 1_000)
            fixture.service.clockWasSet(at: Moment(instant: now.instant, wall: wall))
        }
        fixture.queue.runAll()
        let end = try #require(fixture.service.leases(of: .left)?.all.first?.end)
        #expect(end.wall.milliseconds == Moment.after(.seconds(260)).wall.milliseconds)
        #expect(end.instant == Moment.after(.seconds(60)).instant)
    }

    @Test func `a hanging panel collects no commands of one holder`() {
        fill()
        var results: [Collected<Result<CommandSuccess, CommandError>>] = []
        for _ in 0..<1_000 {
            results.append(ofHolder(sleep()))
            results.append(ofHolder(.restore(holder: "schedule:night", kind: .dim)))
        }
        let last = ofHolder(sleep())
        let other = ofHolder(sleep(by: "schedule:day"), by: "schedule:day")
        let done = results.dropLast()
        #expect(done.allSatisfy { $0.all.map(\.failure) == [.superseded] })
        fixture.queue.runAll()
        // The last end comes before the last begin: a lease that a person has overridden does not go on.
        #expect(results.last?.all.map(\.isSuccess) == [true])
        #expect(last.all.map(\.isSuccess) == [true] && other.all.map(\.isSuccess) == [true])
        #expect(fixture.service.leases(of: .left)?.all.map(\.holder) == ["schedule:night", "schedule:day"])
    }

    @Test func `no client's command is superseded`() {
        let results = fixture.submit(.boost(), .restore(holder: nil), .boost(), requester: .client)
        fixture.queue.runAll()
        #expect(results.all.map(\.isSuccess) == [true, true, true])
    }

    @Test func `a stream submits nothing to a display without visible leases`() throws {
        try fixture.perform(.boost(by: "a"))
        fixture.service.streamOpened(by: ["a"], of: .daemon, at: .start)
        fixture.service.streamClosed(by: ["a"], of: .daemon, at: .start)
        #expect(fixture.queue.count == 0)
    }

    @Test func `a visible lease notices a stream that closes while its panel is written`() throws {
        let duringWrite = Collected<@Sendable () -> Void>()
        defer { duringWrite.removeAll() }
        let fixture = try DisplayServiceFixture(rounding: { step in
            for action in duringWrite.all { action() }
            return step
        })
        fixture.service.streamOpened(by: ["page"], of: .daemon, at: .start)
        duringWrite.append { [service = fixture.service] in
            service.streamClosed(by: ["page"], of: .daemon, at: .start)
        }
        try fixture.perform(.grant(LeaseRequest(lifespan: .visible, holder: "page")))
        #expect(fixture.service.store[.left]?.deadline == Moment.after(.seconds(10)).instant)
    }

    @Test func `one stream of several holders is one command`() throws {
        try fixture.perform(.grant(LeaseRequest(lifespan: .visible, holder: "a")))
        fixture.service.streamOpened(by: ["a", "b", "c"], of: .daemon, at: .start)
        fixture.service.streamOpened(by: ["d"], of: .daemon, at: .start)
        #expect(fixture.queue.count == 1)
        let reads = fixture.panel.reads
        fixture.queue.runAll()
        #expect(fixture.panel.reads == reads + 1)
        for holder in ["a", "b", "c", "d"] { #expect(fixture.service.isPresent(holder, of: .daemon)) }
        fixture.service.streamClosed(by: ["a", "b", "c"], of: .daemon, at: .start)
        #expect(!fixture.service.isPresent("b", of: .daemon) && fixture.service.isPresent("d", of: .daemon))
    }
}

extension Result<CommandSuccess, CommandError> {
    fileprivate var failure: CommandError? { if case .failure(let error) = self { error } else { nil } }
    fileprivate var isSuccess: Bool { failure == nil }
}
