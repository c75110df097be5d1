// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Journal
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer
@testable import WebAPI

/// The application of the daemon with a server, `panel-0` and so on, and their group `hall`. It notes what its shard
/// does with requests, and the batches of events.
final class ServedApplication: Sendable {
    /// A shard's treatment of a request.
    struct Treatment: Equatable {
        /// It waits for the next turn once a turn has used its time.
        var mayBePostponed: Bool
        /// Its response is made on another thread.
        var isMadeElsewhere: Bool
    }

    let hub = NotificationHub()
    private let server: Server
    private let notes: Notes

    private final class Notes: Sendable {
        private let byPath = Mutex<[String: Treatment]>([:])
        private let sizes = Mutex<[Int]>([])

        subscript(path: String) -> Treatment? {
            get { byPath.withLock { $0[path] } }
            set { byPath.withLock { $0[path] = newValue } }
        }

        var batches: [Int] { sizes.withLock { $0 } }

        func note(_ batch: EventBatch) { sizes.withLock { $0.append(batch.events.count) } }
    }

    private final class Application: HTTPServer.Application {
        private let application: WebApplication
        private let notes: Notes

        init(_ application: WebApplication, _ notes: Notes) {
            (self.application, self.notes) = (application, notes)
        }

        func reply(to request: Request) -> Reply {
            let (path, mayTakeLong) = (request.path, mayTakeLong(request))
            let reply = application.reply(to: request)
            let isLater = if case .later = reply { true } else { false }
            notes[path] = Treatment(mayBePostponed: mayTakeLong, isMadeElsewhere: isLater)
            return reply
        }

        func mayTakeLong(_ request: Request) -> Bool { application.mayTakeLong(request) }
        func refusal(of error: RequestError) -> Response { application.refusal(of: error) }
        func takeEvents() -> EventBatch {
            let batch = application.takeEvents()
            notes.note(batch)
            return batch
        }

        var awaitsEvents: Bool { application.awaitsEvents }
        func stopObserving() { application.stopObserving() }
    }

    init(displays count: Int) throws {
        let (hub, notes) = (hub, Notes())
        self.notes = notes
        let range = try #require(BrightnessRange(maximum: 100))
        let displays = try (0..<count).map { number in
            let id = try #require(DisplayID("panel-\(number)"))
            return DisplayService.PanelRegistration(ScriptedPanel(id, range: range, step: 50), on: ImmediateQueue())
        }
        let service = try DisplayService(displays, poster: hub.poster, at: .start)
        let configuration = Backend.Configuration(
            access: AccessPolicy(hosts: [], origins: [], anonymous: .write, isOnLoopback: true),
            groups: try DisplayGroups([try #require(DisplayGroup("hall=panel-*"))]),
            // Its looks do not end.
            viewers: ViewerCount(poster: hub.poster, clock: ManualClock()),
            lightReports: LightReports(poster: hub.poster),
            now: { .start }
        )
        let journal = JournalWriter(inMemory: .ofThisMachine(), on: ImmediateQueue(), now: { .start })
        let history = HistoryRecorder(journal, hub.source, leases: { _ in [] }, now: { .start })
        let address = try #require(ListenAddress("127.0.0.1:0"))
        server = try Server(.init(address: address, shards: 1)) { inbox in
            let source = hub.source
            return Application(
                WebApplication(service, source: source, history: history, configuration: configuration, inbox: inbox),
                notes
            )
        }
    }

    /// Requests a path on a connection of its own.
    ///
    /// - Returns: The head of the response, and what the shard did with the request.
    func get(_ path: String) throws -> (head: String, treatment: Treatment?) {
        let client = try client()
        client.get(path.replacing(" ", with: "%20"))
        return (try client.receive(until: "\r\n\r\n"), notes[path])
    }

    /// The numbers of events that the shard took at once.
    var batches: [Int] { notes.batches }

    func client() throws -> RawClient { try RawClient(server.address) }

    func stop() async { await server.stop(within: .seconds(5)) }
}
