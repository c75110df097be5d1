// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

/// What a client asks of its events: which, from where on, and for which holders.
extension Backend {
    /// What `types=` may name.
    private static let types = ["brightness", "boost", "ambient", "display", "health", "room"]

    /// - Parameter problem: Made of the detail, for a type that does not exist.
    func filter(
        types: [String],
        displays: [String],
        orElse problem: (String) -> Problem
    ) throws(Problem) -> EventFilter {
        for name in types where !Self.types.contains(name) {
            throw problem("There is no event type \"\(name)\". There are \(Self.types.joined(separator: ", ")).")
        }
        for id in displays { _ = try commands.state(of: .named(id)) }
        return EventFilter(
            names: Set(types.isEmpty ? Self.types : types).union([EventEncoding.json.reset.name]),
            subjects: displays.isEmpty ? nil : Set(displays)
        )
    }

    /// Where events begin for a client whose last one had this id. From an id of another run, or one that this run has not sent
    /// yet, nothing can be resumed.
    ///
    /// Also has the simulated room posted as it is now. What changes by itself is posted only a few times a second, and a
    /// stream begins with what `GET /v1/simulator` answers.
    func streamStart(after last: String?) -> StreamStart {
        configuration.simulator?.report()
        guard let last, !last.isEmpty else { return .everything }
        guard let revision = EntityTag(id: last, in: service.epoch)?.revision, revision <= service.revision else {
            return .reset
        }
        return .after(revision.number)
    }

    /// Has these holders count as connected until it is let go.
    func connection(of holders: Set<String>, _ principal: Principal) -> HolderStream {
        HolderStream(of: holders, principal, service, now: configuration.now)
    }
}

extension RequestContext {
    /// The events that the query asks for: `types`, `display`, `last_event_id`.
    func streamRequest() throws(Problem) -> StreamRequest {
        let types = request.queries("types").flatMap { $0.split(separator: ",").map(String.init) }
        let filter = try backend.filter(types: types, displays: request.queries("display")) {
            Problem(.malformedQuery, $0)
        }
        let last = request.header("Last-Event-ID") ?? request.query("last_event_id")
        var stream = StreamRequest(filter: filter, start: backend.streamStart(after: last))
        stream.permit = authority.grant
        return stream
    }

    /// `holder=`: the caller's holders whose boosts live as long as this stream or WebSocket. It keeps a display bright, so it
    /// needs the scope `write`.
    func holders() throws(Problem) -> Set<String> {
        guard request.method == .get else { return [] }
        let holders = Set(request.queries("holder"))
        for holder in holders where !holder.isPlain(ofLength: 1...128) || ReservedHolder.includes(holder) {
            throw Problem(
                .malformedQuery,
                "holder is a name of 1 to 128 characters without control characters, and none of the daemon's own."
            )
        }
        if !holders.isEmpty { try authority.require(.write) }
        return holders
    }
}

/// An open stream that names its holders: from the day it is made until it is let go, they count as being there.
final class HolderStream {
    private let service: DisplayService
    private let holders: Set<String>
    private let principal: Principal
    private let now: @Sendable () -> Moment

    init(
        of holders: Set<String>,
        _ principal: Principal,
        _ service: DisplayService,
        now: @escaping @Sendable () -> Moment
    ) {
        self.service = service
        self.holders = holders
        self.principal = principal
        self.now = now
        for holder in holders { service.streamOpened(by: holder, of: principal, at: now()) }
    }

    deinit {
        for holder in holders { service.streamClosed(by: holder, of: principal, at: now()) }
    }
}
