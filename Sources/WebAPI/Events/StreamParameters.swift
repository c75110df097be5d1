// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

/// The parameters of a stream: event types, displays, the event to resume after, holders.
extension Backend {
    /// - Parameters:
    ///   - types: The values of `types=`.
    ///   - displays: Ids of displays, which must exist, or patterns such as `hall:*` and `tag:floor1`, which also
    ///     include displays that appear later.
    ///   - groups: Names of groups.
    ///   - problem: Makes the problem of an invalid parameter from its name and the detail.
    func filter(
        types: [String],
        displays: [String],
        groups: [String],
        tags: [String],
        orElse problem: (_ parameter: String, _ detail: String) -> Problem
    ) throws(Problem) -> EventFilter {
        let known = Notification.typesOfEvents
        for name in types where !known.contains(name) {
            throw problem(
                "types",
                "Unknown event type \"\(name.plain(upTo: 32))\". The types are \(known.joined(separator: ", "))."
            )
        }
        let filter = try DisplayFilter(displays: displays, groups: groups, tags: tags, commands, orElse: problem)
        // Throws if there is no such display.
        for text in displays where DisplayPattern(text)?.isID == true { _ = try commands.state(of: .named(text)) }
        // The encoding's own events, `reset` and `synced`, are about the stream: they pass every filter.
        let wanted = Set(types.isEmpty ? known : types).union(EventEncoding.json.types)
        return EventFilter(types: wanted, subjects: filter.subjects)
    }

    /// Returns the start of a stream after the event with this id. An id of another run, or one that this run has not
    /// sent yet, cannot be resumed.
    ///
    /// Posts the current simulated room first: its own changes are posted only a few times a second, and a stream
    /// begins with the state that `GET /v1/simulator` returns.
    func streamStart(after last: String?) -> StreamStart {
        configuration.simulator?.report()
        guard let last, !last.isEmpty else { return .everything }
        guard let revision = EntityTag(id: last, in: service.epoch)?.revision, revision <= service.revision else {
            return .reset
        }
        return .after(revision.number)
    }

    /// Counts these holders as connected until the result is released.
    func connection(of holders: Set<String>, _ principal: Principal) -> HolderConnection {
        HolderConnection(of: holders, principal, surface)
    }
}

extension RequestContext {
    /// Reads the query: `types`, `display`, `group`, `tag`, `last_event_id`.
    func streamRequest() throws(Problem) -> StreamRequest {
        let types = request.queries("types").flatMap { $0.split(separator: ",").map(String.init) }
        let filter = try backend.filter(
            types: types,
            displays: request.queries("display"),
            groups: request.queries("group"),
            tags: request.queries("tag")
        ) { Problem(.invalidRequest, $1) }
        let last = request.header("Last-Event-ID") ?? request.query("last_event_id")
        var stream = StreamRequest(filter: filter, start: backend.streamStart(after: last))
        stream.authorization = caller.grant
        return stream
    }

    /// The maximum number of values of `holder=`: as many as a principal may have leases on one display.
    private static var holderLimit: Int { LeaseTable.principalLimit }

    /// Reads `holder=`: the holders whose leases last as long as this stream or WebSocket. It requires the scope
    /// `write`.
    func holders() throws(Problem) -> Set<String> {
        guard request.method == .get else { return [] }
        let values = request.queries("holder")
        guard values.count <= Self.holderLimit else {
            throw Problem(.invalidRequest, "A stream has at most \(Self.holderLimit) values of holder.")
        }
        let holders = Set(values)
        for holder in holders
        where !holder.isPlain(ofLength: 1...128) || !holder.isVisible || ReservedHolder.includes(holder) {
            throw Problem(
                .invalidRequest,
                "holder must have 1 to 128 visible characters, and no name reserved for the daemon."
            )
        }
        if !holders.isEmpty { try caller.require(.write) }
        return holders
    }
}

/// The holders of an open stream, which count as connected while this object exists.
final class HolderConnection {
    private let holders: Set<String>
    private let principal: Principal
    private let surface: Surface

    init(of holders: Set<String>, _ principal: Principal, _ surface: Surface) {
        (self.holders, self.principal, self.surface) = (holders, principal, surface)
        surface.service.streamOpened(by: holders, of: principal, at: surface.now())
    }

    deinit { surface.service.streamClosed(by: holders, of: principal, at: surface.now()) }
}
