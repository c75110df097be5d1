// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension Resource {
    /// The states of all displays.
    static let displays = Resource("/v1/displays", .get(list))
}

private func list(_ context: RequestContext) throws(Problem) -> Reply {
    let service = context.backend.service
    let (revision, states) = service.all
    let tag = EntityTag(service.epoch, revision)
    let condition = context.request.header("If-None-Match").map { Condition($0, in: service.epoch) }
    if condition?.holds(for: revision) ?? false { return .now(.unchanged(tag)) }
    return .kept(context.backend.kept.displays(states, tag))
}

extension Resource {
    /// The state of a display.
    static let display = Resource("/v1/displays/{id}", .get(readState))
}

/// Answers with the state of the path's display. With `If-None-Match` and `wait` it is a long poll.
func readState(_ context: RequestContext) throws(Problem) -> Reply {
    let (request, backend) = (context.request, context.backend)
    // Read before the state: an answer is never kept for a newer revision than it shows.
    let revision = backend.service.revision
    let state = try backend.commands.state(of: context.target)
    let epoch = backend.service.epoch
    let condition = request.header("If-None-Match").map { Condition($0, in: epoch) }
    guard condition?.holds(for: state.revision) ?? false else {
        let response = backend.kept.state(state, in: epoch)
        backend.kept.keep(response, at: request.path, revision)
        return .kept(response)
    }
    let unchanged = Response.unchanged(EntityTag(epoch, state.revision))
    guard let seconds = try wait(request), seconds > 0 else { return .now(unchanged) }
    backend.awaitEvents()
    return .later(backend.longPolls.add(state, for: .seconds(seconds), otherwise: unchanged))
}

/// `wait=30`: for how long the client lets its answer be held back.
private func wait(_ request: Request) throws(Problem) -> Double? {
    guard let text = request.query("wait") else { return nil }
    guard let seconds = Double(text), (0...60).contains(seconds) else {
        throw Problem(.malformedQuery, "wait is a number of seconds from 0 to 60.")
    }
    return seconds
}

extension Backend {
    /// The way of most requests: the state of a display that has not changed since the last one asked.
    func unchangedState(_ request: Request) -> KeptResponse? {
        guard request.method == .get, let kept = kept.response(at: request.pathText, service.revision),
            request.frequent.ifNoneMatch == nil, Accept.admits(.json, in: request)
        else { return nil }
        return kept
    }
}
