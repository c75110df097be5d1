// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Journal
import Synchronization
import TestSupport

@testable import HTTPServer
@testable import WebAPI

/// A display whose panel works only when the target runs it, with the application.
final class CallRoom {
    let queue = ManualQueue()
    let panel: ScriptedPanel
    private let hub = NotificationHub()
    private let service: DisplayService
    private let backend: Backend
    private let hours = Hours()

    /// Clients connect an hour apart, so that none exceeds the write limit.
    private final class Hours: Sendable {
        private let count = Atomic(0)
        var now: Moment { .after(.seconds(3_600 * count.load(ordering: .relaxed))) }
        func pass() { count.add(1, ordering: .relaxed) }
    }

    init() throws {
        let id = try require(DisplayID("panel"), "an id")
        panel = ScriptedPanel(id, range: try require(BrightnessRange(maximum: 100), "a range"), step: 50)
        service = try DisplayService([.init(panel, on: queue)], poster: hub.poster, at: .start)
        let configuration = Backend.Configuration(
            access: AccessPolicy(hosts: [], origins: [], anonymous: .write, isOnLoopback: true),
            saved: ConfigurationService(of: service, hub),
            lightReports: LightReports(poster: hub.poster)
        )
        let journal = JournalWriter(inMemory: .ofThisMachine(), on: queue, now: { .start })
        let history = HistoryRecorder(journal, hub.source, leases: { _ in [] }, now: { .start })
        let surface = Surface(service, hub) { [hours] in hours.now }
        backend = Backend(surface, history: history, configuration: configuration) {}
        queue.runAll()
    }

    /// A new client.
    func session() -> JSONRPCSession {
        let caller = Caller(principal: .anonymous, scope: .admin, hasTokens: false)
        return JSONRPCSession(with: backend, caller, at: .loopback, holder: "me")
    }

    /// Restores the initial state for the next client.
    func tidy() {
        hours.pass()
        for action in [Command.Action.restoreAll(), .setAutomatic(false), .set(.step(50))] {
            service.submit(Command(action, transition: .zero), to: panel.id, at: hours.now) { _ in }
        }
        queue.runAll()
    }
}
