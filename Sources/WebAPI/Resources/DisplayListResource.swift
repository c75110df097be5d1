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
