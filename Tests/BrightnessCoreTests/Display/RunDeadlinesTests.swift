// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite(.timeLimit(.minutes(10)))
struct RunDeadlinesTests {
    private let hub = NotificationHub()
    private let clock = ManualClock()
    private let panel: ScriptedPanel
    private let service: DisplayService

    init() throws {
        panel = ScriptedPanel(.left, range: try #require(BrightnessRange(maximum: 100)), step: 30)
        service = try DisplayService([.init(panel, on: ImmediateQueue())], poster: hub.poster, at: .start)
    }

    private func after(_ seconds: Int) -> Instant { Moment.after(.seconds(seconds)).instant }

    private func perform(_ action: Command.Action) async throws {
        _ = try await service.perform(Command(action), on: .left, at: clock.moment).get()
    }

    /// Executes `body` while deadlines run.
    private func whileKeepingTime(
        reads: Collected<Moment> = Collected(),
        _ body: () async throws -> Void
    ) async throws {
        let (service, clock) = (service, clock)
        let runner = Task {
            await service.runDeadlines(on: clock) {
                reads.append(clock.moment)
                return clock.moment
            }
        }
        defer { runner.cancel() }
        try await body()
        runner.cancel()
        await runner.value
    }

    @Test func `a lease ends at its end`() async throws {
        var leases = hub.source.notifications(of: NotificationFilter([.lease])).makeAsyncIterator()
        try await whileKeepingTime {
            try await perform(.boost(by: "a", for: .seconds(60)))
            #expect(await leases.read()?.leaseEvent?.change == .granted)
            #expect(try await clock.nextSleep() == after(60))
            clock.advance(by: .seconds(60))
            #expect(await leases.read()?.leaseEvent?.change == .expired)
            #expect(panel.step == 30)
            #expect(service.state(of: .left)?.cause.kind == .expired)
        }
    }

    @Test func `a lease granted before the task started ends, too`() async throws {
        var leases = hub.source.notifications(of: NotificationFilter([.lease])).makeAsyncIterator()
        try await perform(.boost(by: "a", for: .seconds(60)))
        #expect(await leases.read()?.leaseEvent?.change == .granted)
        clock.advance(by: .seconds(61))
        try await whileKeepingTime {
            #expect(await leases.read()?.leaseEvent?.change == .expired)
        }
    }

    @Test func `a longer lease does not delay a shorter one`() async throws {
        var leases = hub.source.notifications(of: NotificationFilter([.lease])).makeAsyncIterator()
        try await whileKeepingTime {
            try await perform(.boost(by: "long", for: .seconds(300)))
            #expect(await leases.read()?.leaseEvent?.change == .granted)
            #expect(try await clock.nextSleep() == after(300))
            try await perform(.boost(by: "brief", for: .seconds(10)))
            #expect(await leases.read()?.leaseEvent?.change == .granted)
            #expect(try await clock.nextSleep() == after(10))
            clock.advance(by: .seconds(10))
            #expect(await leases.read()?.leaseEvent?.lease.holder == "brief")
            #expect(try await clock.nextSleep() == after(300))
            clock.advance(by: .seconds(290))
            #expect(await leases.read()?.leaseEvent?.change == .expired)
        }
    }

    @Test func `a renewed lease ends at its new end`() async throws {
        var leases = hub.source.notifications(of: NotificationFilter([.lease])).makeAsyncIterator()
        try await whileKeepingTime {
            try await perform(.boost(by: "a", for: .seconds(60)))
            #expect(await leases.read()?.leaseEvent?.change == .granted)
            #expect(try await clock.nextSleep() == after(60))
            try await perform(.boost(by: "a", for: .seconds(90)))
            #expect(await leases.read()?.leaseEvent?.change == .renewed)
            clock.advance(by: .seconds(60))
            #expect(try await clock.nextSleep() == after(90))
            #expect(panel.step == 100)
            clock.advance(by: .seconds(30))
            #expect(await leases.read()?.leaseEvent?.change == .expired)
        }
    }

    @Test func `later leases cause no wake`() async throws {
        let reads = Collected<Moment>()
        try await whileKeepingTime(reads: reads) {
            try await perform(.boost(by: "first", for: .seconds(10)))
            #expect(try await clock.nextSleep() == after(10))
            for number in 0..<100 { try await perform(.boost(by: "\(number)", for: .seconds(60))) }
            #expect(clock.sleepers == 1)
            clock.advance(by: .seconds(10))
            #expect(try await clock.nextSleep() == after(60))
            #expect(reads.all.filter { $0 == .start }.count == 1)
        }
    }

    @Test func `a faulty panel is retried`() async throws {
        try await perform(.boost(by: "a", for: .seconds(600)))
        panel.failWrites(.refused, times: .max)
        try await perform(.restoreAll())
        var states = hub.source.notifications(of: NotificationFilter([.state])).makeAsyncIterator()
        #expect(await states.read()?.displayState?.isAvailable == false)
        try await whileKeepingTime {
            for (now, next) in [(0, 1), (1, 3), (3, 7), (7, 15)] {
                #expect(clock.now == after(now))
                let deadline = try await clock.nextSleep()
                #expect(deadline == after(next))
                clock.advance(by: .seconds(next - now))
            }
            let deadline = try await clock.nextSleep()
            #expect(deadline == after(31))
            panel.heal()
            clock.advance(by: .seconds(16))
            #expect(await states.read()?.displayState?.isAvailable == true)
            #expect(panel.step == 30)
        }
    }

    @Test func `a transition continues, and then causes no further wakes`() async throws {
        let reads = Collected<Moment>()
        try await whileKeepingTime(reads: reads) {
            let command = Command(.set(0.34), transition: .seconds(1))
            _ = try await service.perform(command, on: .left, at: clock.moment).get()
            for step in 31..<34 {
                #expect(panel.step == step)
                let due = try await clock.nextSleep()
                clock.advance(by: due - clock.now)
                while panel.step == step { await Task.yield() }
            }
            #expect(panel.writes == [31, 32, 33, 34])
            #expect(clock.now == after(1))
            // The end of a lease is the next wake.
            try await perform(.boost(by: "a", for: .seconds(60)))
            #expect(try await clock.nextSleep() == after(61))
        }
        #expect(reads.count <= 10)
    }

    @Test func `a hanging panel with a full queue costs nothing, and its due work is done when it is back`()
        async throws
    {
        let hanging = ManualQueue()
        let service = try DisplayService([.init(panel, on: hanging)], poster: hub.poster, at: .start)
        service.submit(Command(.boost(by: "a", for: .seconds(60))), to: .left, at: .start) { _ in }
        hanging.runAll()
        let rejected = Collected<CommandError>()
        for _ in 0..<DisplayService.Configuration.defaultQueueLimit {
            service.submit(Command(.set(0.4), requester: .client), to: .left, at: .start) { _ in }
        }
        let (clock, reads) = (clock, Collected<Moment>())
        let runner = Task {
            await service.runDeadlines(on: clock) {
                reads.append(clock.moment)
                return clock.moment
            }
        }
        _ = try await clock.nextSleep()
        clock.advance(by: .seconds(61))
        while reads.all.last?.instant != clock.now { await Task.yield() }
        for _ in 0..<100 {
            service.submit(Command(.set(0.5), requester: .client), to: .left, at: clock.moment) { result in
                if case .failure(let error) = result { rejected.append(error) }
            }
            for _ in 0..<10 { await Task.yield() }
        }
        #expect(rejected.all == Array(repeating: .busy, count: 100))
        #expect(reads.count <= 3)
        hanging.runAll()
        #expect(panel.step == 40)
        #expect(service.state(of: .left)?.boost == nil)
        #expect(service.state(of: .left)?.cause.kind == .expired)
        runner.cancel()
        await runner.value
    }

    @Test func `at most one tick waits for a hanging panel`() throws {
        let hanging = ManualQueue()
        let service = try DisplayService([.init(panel, on: hanging)], poster: hub.poster, at: .start)
        service.submit(Command(.boost(by: "a", for: .seconds(60))), to: .left, at: .start) { _ in }
        hanging.runAll()
        for second in 61..<2_109 { service.tick(at: .after(.seconds(second))) }
        let answers = Collected<Bool>()
        service.submit(Command(.set(0.4)), to: .left, at: .after(.seconds(70))) {
            answers.append((try? $0.get()) != nil)
        }
        hanging.runAll()
        #expect(answers.all == [true])
        #expect(service.state(of: .left)?.boost == nil)
    }

    @Test func `a hanging panel does not delay the others`() async throws {
        let range = try #require(BrightnessRange(maximum: 100))
        let (hanging, other) = (ManualQueue(), ScriptedPanel(.right, range: range, step: 30))
        let service = try DisplayService(
            [.init(panel, on: hanging), .init(other, on: ImmediateQueue())],
            poster: hub.poster,
            at: .start
        )
        for id in [DisplayID.left, .right] {
            service.submit(Command(.boost(by: "a", for: .seconds(60))), to: id, at: .start) { _ in }
        }
        hanging.runAll()
        var leases = hub.source.notifications(of: NotificationFilter([.lease])).makeAsyncIterator()
        #expect(await leases.read(of: .right)?.leaseEvent?.change == .granted)
        let clock = clock
        let runner = Task { await service.runDeadlines(on: clock, now: { clock.moment }) }
        #expect(try await clock.nextSleep() == after(60))
        clock.advance(by: .seconds(60))
        #expect(await leases.read(of: .right)?.leaseEvent?.change == .expired)
        #expect(other.step == 30)
        runner.cancel()
        hanging.runAll()
        await runner.value
        #expect(panel.step == 30)
    }
}
