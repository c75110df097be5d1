// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// The states of all displays, or of those that the query selects.
    static let displays = Resource("/v1/displays", .get(list))
    static let display = Resource("/v1/displays/{id}", or: .plainText, .get(readState))
    static let brightness = ofDisplays(
        "brightness",
        or: .plainText,
        .get(readState),
        .command(.set),
        .command(.move),
        forAll: [.command(.set), .command(.move)]
    )
    static let power = ofDisplays("power", .get(readPower), .command(.power))
    /// Automatic brightness of a display, and what people taught it.
    static let auto = ofDisplays("auto", .get(readAutomatic), .command(.auto))
}

private func list(_ context: RequestContext) throws(Problem) -> Reply {
    let backend = context.backend
    let (service, newest) = (backend.service, backend.service.revision)
    let filter = context.request.hasQuery ? try DisplayFilter(context) : nil
    let condition = context.request.list("If-None-Match").map { Condition($0, in: service.epoch) }
    if condition?.holds(for: newest) ?? false { return .now(.unchanged(EntityTag(service.epoch, newest).text)) }
    guard backend.isLarge(.all) else {
        let (revision, states) = service.all
        let tag = EntityTag(service.epoch, revision)
        guard let filter else { return .cached(backend.cache.displays(states, tag)) }
        return .cached(backend.cache.filtered(tag, filter.text) { .displays(states, filter, tag) })
    }
    // The filter of a default display that is absent has no text either.
    let key = filter.map { "/v1/displays?\($0.text)" } ?? "/v1/displays"
    return try backend.configuration.sharedResponses.reply(key, at: newest) { () throws(Problem) in
        let (revision, states) = service.all
        return (.displays(states, filter, EntityTag(service.epoch, revision)), revision)
    }
}

extension Response {
    /// The list of displays, or of those that a filter includes.
    static func displays(_ states: [DisplayState], _ filter: DisplayFilter?, _ tag: EntityTag) -> Response {
        let states = filter.map { states.filter($0.includes) } ?? states
        return .json(DisplayState.list(states, at: tag.revision, in: tag.epoch), fields: [("ETag", tag.text)])
    }
}

/// Returns the state of the path's display, or its percentage as text. With `If-None-Match` and `wait` it is a long
/// poll.
private func readState(_ context: RequestContext) throws(Problem) -> Reply {
    let (request, backend) = (context.request, context.backend)
    // Read before the state: a response is never cached for a newer revision than it shows.
    let revision = backend.service.revision
    let state = try backend.commands.state(of: context.target)
    // The first condition spares most requests the parsing of `Accept`.
    if !Accept.prefersNone(to: .json, in: request), Accept(request.list("Accept")).prefers(.plainText, to: .json) {
        var response = Response.text("\(Int((state.brightness.fraction * 100).rounded()))\n")
        response.fields += [("Cache-Control", "no-store")]
        return .now(response)
    }
    let epoch = backend.service.epoch
    let condition = request.list("If-None-Match").map { Condition($0, in: epoch) }
    guard condition?.holds(for: state.revision) ?? false else {
        let response = backend.cache.state(state, in: epoch)
        // `unchangedState` finds it by the path alone.
        if !request.hasQuery { backend.cache.store(response, at: request.path, revision) }
        return .cached(response)
    }
    let unchanged = Response.unchanged(EntityTag(epoch, state.revision).text)
    guard let seconds = try wait(request), seconds > 0 else { return .now(unchanged) }
    backend.awaitEvents()
    return .later(
        backend.longPolls.add(state, of: backend.service, for: .seconds(seconds), otherwise: unchanged)
    )
}

/// Reads `wait=30`: the maximum duration of the long poll.
private func wait(_ request: Request) throws(Problem) -> Double? {
    guard let text = request.query("wait") else { return nil }
    guard let seconds = Double(text), (0...60).contains(seconds) else {
        throw Problem(.invalidRequest, "wait must be a number of seconds from 0 to 60.")
    }
    return seconds
}

extension Backend {
    /// The cached state of a display that did not change since the last request: the fast path of most requests.
    func unchangedState(_ request: Request) -> CachedResponse? {
        guard request.method == .get, let cached = cache.response(at: request.pathText, service.revision),
            request.frequent.ifNoneMatch == nil, Accept.prefersNone(to: .json, in: request), !request.hasQuery
        else { return nil }
        return cached
    }
}

private func readPower(_ context: RequestContext) throws(Problem) -> Reply {
    try context.document { displays, _ in
        let documents = displays.states.map { PowerDocument($0) }
        return displays.isList ? PowerDocument.list(documents) : documents[0].json
    }
}

private func readAutomatic(_ context: RequestContext) throws(Problem) -> Reply {
    try context.document { displays, service in
        let documents = displays.states.map { AutomaticDocument($0, lessons: service.lessons(of: $0.id)) }
        return displays.isList ? AutomaticDocument.list(documents) : documents[0].json
    }
}
