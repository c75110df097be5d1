// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Journal
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer
@testable import WebAPI

/// The application of the daemon with a server, `panel-0` and so on, and their group `hall`. It notes what its shard
/// does with requests.
final class ServedApplication: Sendable {
    /// What a shard did with a request.
    struct Treatment: Equatable {
        /// It waits for the next turn once a turn has used its time.
        var mayBePostponed: Bool
        /// Its response is made on another thread.
        var isMadeElsewhere: Bool
    }

    let hub = NotificationHub()
    private let server: Server
    private let treatments: Treatments

    private final class Treatments: Sendable {
        private let byPath = Mutex<[String: Treatment]>([:])

        subscript(path: String) -> Treatment? {
            get { byPath.withLock { $0[path] } }
            set { byPath.withLock { $0[path] = newValue } }
        }
    }

    private final class Application: HTTPServer.Application {
        private let application: WebApplication
        private let treatments: Treatments

        init(_ application: WebApplication, _ treatments: Treatments) {
            (self.application, self.treatments) = (application, treatments)
        }

        func reply(to request: Request) -> Reply {
            let (path, mayTakeLong) = (request.path, mayTakeLong(request))
            let reply = application.reply(to: request)
            let isLater = if case .later = reply { true } else { false }
            treatments[path] = Treatment(mayBePostponed: mayTakeLong, isMadeElsewhere: isLater)
            return reply
        }

        func mayTakeLong(_ request: Request) -> Bool { application.mayTakeLong(request) }
        func refusal(of error: RequestError) -> Response { application.refusal(of: error) }
        func takeEvents() -> EventBatch { application.takeEvents() }
        var awaitsEvents: Bool { application.awaitsEvents }
        func stopObserving() { application.stopObserving() }
    }

    init(displays count: Int) throws {
        let (hub, treatments) = (hub, Treatments())
        self.treatments = treatments
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
                treatments
            )
        }
    }

    /// Requests a path on a connection of its own.
    ///
    /// - Returns: The head of the response, and what the shard did with the request.
    func get(_ path: String) throws -> (head: String, treatment: Treatment?) {
        let client = try RawClient(server.address)
        client.get(path.replacing(" ", with: "%20"))
        return (try client.receive(until: "\r\n\r\n"), treatments[path])
    }

    func stop() async { await server.stop(within: .seconds(5)) }
}
