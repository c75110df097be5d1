// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension WebApplication {
    /// What `types=` may name.
    private static let types = ["brightness", "boost", "ambient", "display", "health", "room"]

    /// `GET /v1/events`.
    func stream(_ request: Request, _ authority: Authority) throws(Problem) -> StreamRequest {
        var stream = try events(for: request)
        stream.permit = authority.grant
        let holders = try holders(request, authority)
        if !holders.isEmpty {
            stream.companion = HolderStream(of: holders, authority.principal, service, now: configuration.now)
        }
        return stream
    }

    /// `GET /v1/ws`.
    func webSocket(_ request: Request, _ authority: Authority) throws(Problem) -> Reply {
        let handshake: Handshake
        do {
            handshake = try Handshake(request)
        } catch {
            throw Problem(error)
        }
        var events = try events(for: request)
        events.permit = authority.grant
        let holders = try holders(request, authority)
        guard holders.count <= 1 else { throw Problem(.malformedQuery, "A WebSocket has one holder.") }
        let session = JSONRPCSession(with: self, authority, at: request.client, holder: holders.first)
        return .webSocket(WebSocketRequest(handshake, session, stream: events))
    }

    private func events(for request: Request) throws(Problem) -> StreamRequest {
        let types = request.queries("types").flatMap { $0.split(separator: ",").map(String.init) }
        let filter = try filter(types: types, displays: request.queries("display")) { Problem(.malformedQuery, $0) }
        let last = request.header("Last-Event-ID") ?? request.query("last_event_id")
        reportRoom()
        return StreamRequest(filter: filter, start: start(after: last))
    }

    /// Has the simulated room posted as it is now. What changes by itself is posted only a few times a second, and a stream
    /// begins with what `GET /v1/simulator` answers.
    func reportRoom() { configuration.simulator?.report() }

    /// Where a stream begins for a client whose last event had this id. From an id of another run, or one that this run has
    /// not sent yet, nothing can be resumed.
    func start(after last: String?) -> StreamStart {
        guard let last, !last.isEmpty else { return .everything }
        guard let revision = EntityTag(id: last, in: service.epoch)?.revision, revision <= service.revision else {
            return .reset
        }
        return .after(revision.number)
    }

    /// - Parameter problem: What a type is that there is not, with this detail.
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
            names: Set(types.isEmpty ? Self.types : types).union([Event.reset.name]),
            subjects: displays.isEmpty ? nil : Set(displays)
        )
    }

    /// `holder=`: the caller's holders whose boosts live as long as this stream or WebSocket. It keeps a display bright, so it
    /// needs the scope `write`.
    private func holders(_ request: Request, _ authority: Authority) throws(Problem) -> Set<String> {
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

    /// `subscribe`: which events come from now on, and what is answered.
    func subscription(
        from body: consuming RequestBody
    ) throws(Problem) -> (MessageOutcome.Subscription, answer: [UInt8]) {
        let types = try body.strings("types") ?? []
        let displays = try body.strings("display") ?? []
        let last = try body.string("last_event_id", length: 0...256)
        try body.end()
        let filter = try filter(types: types, displays: displays) { RequestBody.invalid("types", $0) }
        reportRoom()
        let answer = JSONWriter.object { json in
            for (name, words) in [("types" as StaticString, types), ("display", displays)] {
                json.name(name)
                if words.isEmpty { json.null() } else { json.array(Set(words).sorted()) { $0.string($1) } }
            }
        }
        return (MessageOutcome.Subscription(filter: filter, start: start(after: last)), answer)
    }
}
