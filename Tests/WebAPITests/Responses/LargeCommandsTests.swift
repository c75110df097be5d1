// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Journal
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer
@testable import WebAPI

/// Commands for many displays, on a thread that the test plays.
@Suite struct LargeCommandsTests {
    let panels = ManualQueue()
    let large = ManualQueue()
    /// The work that would run after a delay.
    let delayed = ManualQueue()
    let service: DisplayService
    let backend: Backend

    init() throws {
        let hub = NotificationHub()
        let range = try #require(BrightnessRange(maximum: 100))
        let (panels, large, delayed) = (panels, large, delayed)
        let displays = try (0..<300).map { number in
            DisplayService.PanelRegistration(
                ScriptedPanel(try #require(DisplayID("panel-\(number)")), range: range, step: 50),
                on: panels
            )
        }
        service = try DisplayService(displays, poster: hub.poster, at: .start)
        panels.runAll()
        var configuration = Backend.Configuration(
            access: AccessPolicy(hosts: [], origins: [], anonymous: .write, isOnLoopback: true),
            saved: ConfigurationService(of: service, hub),
            lightReports: LightReports(poster: hub.poster)
        )
        configuration.largeCommands = LargeCommands { delay, job in (delay == .zero ? large : delayed).enqueue(job) }
        let journal = JournalWriter(inMemory: .ofThisMachine(), on: ImmediateQueue(), now: { .start })
        let history = HistoryRecorder(journal, hub.source, leases: { _ in [] }, now: { .start })
        backend = Backend(Surface(service, hub), history: history, configuration: configuration) {}
    }

    private func set(
        _ target: DisplayTarget = .all,
        to percent: Int,
        waiting preferredWait: Duration? = nil
    ) throws -> Deferred {
        let level = try #require(Brightness(fraction: Double(percent) / 100))
        let work = CommandWork(
            Command(.set(.fraction(level))),
            isTagged: true,
            on: target,
            within: nil,
            waiting: preferredWait,
            requestText: "",
            by: backend
        )
        guard case .later(let deferred) = try work.replyLater() else {
            Issue.record("an answer without waiting")
            return LargeCommands.deferred()
        }
        return deferred
    }

    private var percents: Set<Int> { Set(service.own.map { Int(($0.brightness.fraction * 100).rounded()) }) }

    @Test func `a request carries out nothing and encodes nothing`() throws {
        let deferred = try set(to: 70)
        #expect(large.count == 1 && panels.count == 0)
        large.runOne()
        #expect(panels.count == 300)
        panels.runAll()
        #expect(percents == [70])
        #expect(!deferred.isComplete)
        large.runOne()
        #expect(deferred.response?.status == 200)
    }

    @Test func `commands are carried out in the order of the requests`() throws {
        for percent in [10, 20, 30] { _ = try set(to: percent) }
        large.runAll()
        panels.runAll()
        #expect(percents == [30])
    }

    @Test func `displays that are slow are answered as accepted`() throws {
        let deferred = try set(to: 70)
        large.runOne()
        #expect(delayed.count == 1)
        delayed.runOne()
        #expect(deferred.response?.status == 207)
        panels.runAll()
        large.runAll()
        #expect(percents == [70])
    }

    @Test func `a client that prefers to wait is answered with the results although the command began late`() throws {
        let arrival = LoopTime(nanoseconds: 0)
        let deferred = try set(to: 70, waiting: .seconds(30))
        let end = deferred.deadline(from: arrival)
        #expect(end - arrival == .seconds(60))
    }

    @Test func `a problem is found on the other thread`() throws {
        let deferred = try set(.named("nobody"), to: 70)
        large.runAll()
        #expect(deferred.response?.status == 404)
    }

    @Test func `at most 64 commands wait`() throws {
        for _ in 0..<LargeCommands.limit { _ = try set(to: 60) }
        #expect(throws: Problem.self) { try set(to: 70) }
        large.runOne()
        _ = try set(to: 80)
    }
}
