// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Journal
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer
@testable import WebAPI

/// The application of the daemon with a server, `panel-0` and so on at half their brightness, and their group `hall`,
/// with schedules, presets and perhaps tokens. It notes what its shard does with requests, and the batches of events.
final class ServedApplication: Sendable {
    /// A shard's treatment of a request.
    struct Treatment: Equatable {
        /// It waits for the next turn once a turn has used its time.
        var mayBePostponed: Bool
        /// Its response is made on another thread.
        var isMadeElsewhere: Bool
    }

    let hub = NotificationHub()
    /// The clock of everything but the server's own deadlines.
    let time = ManualTime()
    private let service: DisplayService
    private let server: Server
    private let notes: Notes
    /// The lines for the operator.
    let warnings: AsyncStream<String>

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

        func endTurn() { application.endTurn() }
        func bodyLimit(of request: Request) -> Int { application.bodyLimit(of: request) }
        func mayTakeLong(_ request: Request) -> Bool { application.mayTakeLong(request) }
        func refusal(of error: RequestError) -> Response { application.refusal(of: error) }
        func takeEvents() -> EventBatch {
            let batch = application.takeEvents()
            notes.note(batch)
            return batch
        }

        var awaitsEvents: Bool { application.awaitsEvents }
        func evicted(_ streams: UInt64) { application.evicted(streams) }
        func stopObserving() { application.stopObserving() }
    }

    /// - Parameters:
    ///   - defaultDisplay: The default display, which may be absent; `nil` for the first one.
    ///   - tokens: The lines of a token file; `nil` without one.
    ///   - writes: The limit of each client a second; `nil` for the default.
    ///   - waitingBytes: The limit of what clients have not read; `nil` for the default.
    init(
        displays count: Int = 1,
        defaultDisplay: String? = nil,
        tokens: [String]? = nil,
        anonymous: AccessPolicy.Anonymous? = .write,
        hosts: [String] = [],
        origins: [String] = [],
        isOnLoopback: Bool = true,
        writes: Int? = nil,
        waitingBytes: Int? = nil
    ) throws {
        let (hub, notes, time) = (hub, Notes(), time)
        self.notes = notes
        let range = try #require(BrightnessRange(maximum: 100))
        let displays = try (0..<count).map { number in
            let id = try #require(DisplayID("panel-\(number)"))
            let panel = ScriptedPanel(id, range: range, step: 50, isSwitchable: true)
            return DisplayService.PanelRegistration(panel, on: ImmediateQueue())
        }
        var rules = DisplayService.Configuration.standard
        rules.defaultDisplay = defaultDisplay.flatMap { DisplayID($0) }
        let service = try DisplayService(displays, rules, poster: hub.poster, source: hub.source, at: .start)
        self.service = service
        let groups = try DisplayGroups(
            try ["hall=panel-*", "front=panel-1,tag:front", "back=panel-0"].map { try #require(DisplayGroup($0)) }
        )
        var settings = Backend.Configuration(
            access: AccessPolicy(
                hosts: hosts,
                origins: origins,
                anonymous: anonymous,
                tokens: try tokens.map { TokenStore(try $0.map { try Token(line: $0[...], groups) }) },
                isOnLoopback: isOnLoopback
            ),
            saved: ConfigurationService(of: service, hub, groups: groups),
            lightReports: LightReports(poster: hub.poster)
        )
        let (warnings, warning) = AsyncStream.makeStream(of: String.self)
        self.warnings = warnings
        settings.warn = { warning.yield($0) }
        settings.writeLimit = WriteLimit(writes.map { ClientLimit($0) } ?? .defaultWrites)
        let configuration = settings
        // Its looks do not end.
        let viewers = ViewerCount(poster: hub.poster, clock: ManualClock())
        let surface = Surface(service, hub.source, hub.poster, viewers: viewers, groups: groups, now: { time.now })
        let journal = JournalWriter(inMemory: .ofThisMachine(), on: ImmediateQueue(), now: { .start })
        let history = HistoryRecorder(journal, hub.source, leases: { _ in [] }, now: { .start })
        let address = try #require(ListenAddress("127.0.0.1:0"))
        var listening = Server.Configuration(address: address)
        listening.shards = 1
        if let waitingBytes { listening.connectionLimits.waitingBytes = waitingBytes }
        server = try Server(listening) { inbox in
            Application(
                WebApplication(surface, history: history, configuration: configuration, inbox: inbox),
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

    /// An answer, with the names of its fields in lower case.
    struct Answer {
        let status: Int
        let fields: [String: String]
        let body: String

        /// The last part of the problem's type; `nil` without one.
        var problem: String? { body.firstMatch(of: /"type":"\/problems\/([a-z-]+)"/).map { String($0.1) } }

        /// The pointers in the problem's `errors`, in order.
        var pointers: [String] { body.matches(of: /"pointer":"([^"]*)"/).map { String($0.1) } }

        /// The value at a place in the document, such as `results/0/status`; `nil` if there is none.
        subscript(_ place: String) -> JSONValue? { JSONValue(parsing: Array(body.utf8), upTo: 1 << 20)?[place] }
    }

    /// Sends a request on a connection of its own. The answer must be one that the document of the API has.
    ///
    /// - Parameters:
    ///   - target: The path and the query, as on the wire.
    ///   - fields: A field without a value is left out.
    ///   - body: JSON; `nil` without one.
    @discardableResult
    func ask(
        _ method: String,
        _ target: String,
        _ fields: [String: String] = [:],
        body: String? = nil
    ) throws -> Answer {
        var all = ["Host": "127.0.0.1", "Connection": "close"]
        if let body {
            all["Content-Type"] = "application/json"
            all["Content-Length"] = String(body.utf8.count)
        }
        all.merge(fields) { $1 }
        let lines = all.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)\r\n" }.sorted()
        let client = try client()
        client.send("\(method) \(target) HTTP/1.1\r\n\(lines.joined())\r\n\(body ?? "")")
        let answer = try client.receiveAll()
        let end = try #require(answer.firstRange(of: "\r\n\r\n"))
        let head = answer[..<end.lowerBound].split(separator: "\r\n")
        let found = head.dropFirst().map { line in
            let name = line.prefix { $0 != ":" }
            return (name.lowercased(), String(line[name.endIndex...].dropFirst(2)))
        }
        let status = try #require(Int(head[0].split(separator: " ")[1]))
        #expect(Contract.has(status, of: method, target), "\(method) \(target) \(status) is not in openapi.yaml")
        return Answer(
            status: status,
            fields: Dictionary(found) { "\($0), \($1)" },
            body: String(answer[end.upperBound...])
        )
    }

    /// Sends a request that must be refused with a problem, and change no display.
    @discardableResult
    func refuse(
        _ status: Int,
        _ method: String,
        _ target: String,
        _ fields: [String: String] = [:],
        body: String? = nil,
        at place: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        let before = states
        let answer = try ask(method, target, fields, body: body)
        #expect(answer.status == status, "\(method) \(target) \(body ?? "")", sourceLocation: place)
        #expect(states == before, sourceLocation: place)
        guard method != "HEAD" else { return answer }
        #expect(answer.fields["content-type"] == "application/problem+json", sourceLocation: place)
        #expect(answer["status"] == .number(Double(status)) && answer.problem != nil, sourceLocation: place)
        // Paths, error numbers and names of types stay inside.
        let inside = /\/(sys|dev|proc|home|tmp|usr)\/|errno|\bswift|error\b|optional\(|nil\b/.ignoresCase()
        #expect(answer.body.firstMatch(of: inside) == nil, sourceLocation: place)
        return answer
    }

    /// The document of each display.
    var states: [String] { service.all.states.map { String(decoding: $0.json, as: UTF8.self) } }

    /// The numbers of events that the shard took at once.
    var batches: [Int] { notes.batches }

    /// - Parameter receiveBuffer: Bytes that the kernel buffers for the client.
    func client(receiveBuffer: Int32? = nil) throws -> RawClient {
        try RawClient(server.address, receiveBuffer: receiveBuffer)
    }

    func stop() async { await server.stop(within: .seconds(5)) }
}

/// Tests an application, which is stopped afterwards.
func serving(_ served: ServedApplication, _ test: (ServedApplication) throws -> Void) async throws {
    let result = Result { try test(served) }
    await served.stop()
    try result.get()
}
