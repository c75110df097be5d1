// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import Globs
import HTTPServer

/// The parameters of a stream: event types, displays, the event to resume after, holders.
extension Backend {
    /// The values of `types=`.
    private static let types =
        ["brightness"] + LeaseKind.allCases.map(\.rawValue) + ["ambient", "display", "schedule", "health", "room"]

    /// The most patterns of a stream. Each event is compared with each.
    private static let patternLimit = 16

    /// - Parameters:
    ///   - displays: Ids of displays, or patterns such as `hall:*`, which also include displays that appear later.
    ///   - groups: Names of groups.
    ///   - problem: Makes the problem of an invalid parameter from its name and the detail.
    func filter(
        types: [String],
        displays: [String],
        groups: [String],
        tags: [String],
        orElse problem: (_ parameter: String, _ detail: String) -> Problem
    ) throws(Problem) -> EventFilter {
        for name in types where !Self.types.contains(name) {
            throw problem(
                "types",
                "Unknown event type \"\(name.plain(upTo: 32))\". The types are \(Self.types.joined(separator: ", "))."
            )
        }
        let ids = displays.filter { !Glob.isPattern($0) }
        let patterns = Set(displays).subtracting(ids)
        guard patterns.count <= Self.patternLimit else {
            throw problem("display", "display may have at most \(Self.patternLimit) patterns with \"*\".")
        }
        for pattern in patterns where DisplayPattern(pattern) == nil { throw .invalidPattern(pattern) }
        for id in ids { _ = try commands.state(of: .named(id)) }
        return EventFilter(
            names: Set(types.isEmpty ? Self.types : types).union([EventEncoding.json.reset.name]),
            subjects: displays.isEmpty ? nil : Set(ids),
            patterns: patterns.sorted().map { Glob($0) },
            in: [try members(of: groups, orElse: problem), try tagged(tags, orElse: problem)].filter { !$0.isEmpty }
        )
    }

    private func members(
        of groups: [String],
        orElse problem: (_ parameter: String, _ detail: String) -> Problem
    ) throws(Problem) -> [SubjectPattern] {
        var patterns: Set<DisplayPattern> = []
        for name in Set(groups) {
            patterns.formUnion(try commands.group(name).selector.patterns)
            guard patterns.count <= DisplaySelector.limit else {
                let limit = DisplaySelector.limit
                throw problem("group", "The groups of a stream may have at most \(limit) patterns together.")
            }
        }
        return patterns.sorted { $0.text < $1.text }.map { pattern in
            switch pattern {
            case .id(let glob): .glob(glob)
            case .tag(let tag): .label(tag.text)
            }
        }
    }

    private func tagged(
        _ tags: [String],
        orElse problem: (_ parameter: String, _ detail: String) -> Problem
    ) throws(Problem) -> [SubjectPattern] {
        let tags = Set(tags)
        guard tags.count <= Self.patternLimit else {
            throw problem("tag", "tag may have at most \(Self.patternLimit) values.")
        }
        for tag in tags where DisplayTag(tag) == nil { throw problem("tag", DisplayTag.rule) }
        return tags.sorted().map { .label($0) }
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
        HolderConnection(of: holders, principal, service, now: configuration.now)
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

    /// Reads `holder=`: the holders whose leases last as long as this stream or WebSocket. It requires the scope
    /// `write`.
    func holders() throws(Problem) -> Set<String> {
        guard request.method == .get else { return [] }
        let holders = Set(request.queries("holder"))
        for holder in holders where !holder.isPlain(ofLength: 1...128) || ReservedHolder.includes(holder) {
            throw Problem(
                .invalidRequest,
                "holder must have 1 to 128 characters without control characters, and no name reserved for the daemon."
            )
        }
        if !holders.isEmpty { try caller.require(.write) }
        return holders
    }
}

/// The holders of an open stream, which count as connected while this object exists.
final class HolderConnection {
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
