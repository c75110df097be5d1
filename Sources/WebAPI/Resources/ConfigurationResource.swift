// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// Everything that people have set on this machine: its presets, schedules, settings of displays and location.
    static let configuration = Resource("/v1/configuration", .get(read), .edit(.put, put))
}

/// Only for administrators, as the location.
private func read(_ context: RequestContext) throws(Problem) -> Reply {
    try context.caller.require(.admin)
    return context.tagged(context.backend.configuration.saved.current.json)
}

/// It is in force, and stored, before the response.
private func put(_ context: RequestContext) throws(Problem) -> Reply {
    let service = context.backend.configuration.saved
    let body = try context.body(upTo: ConfigurationDocument.longest)
    let document = try ConfigurationDocument(from: body, by: service.rules)
    let deferred = Deferred.stored("It is in force")
    let (condition, now) = (context.precondition, context.backend.surface.now())
    service.replace(with: document, by: context.caller.name, at: now, if: { condition.holds(for: $0.json) }) {
        deferred.complete($0 ? .tagged(service.current.json) : Problem.changedSince.response)
    }
    return .later(deferred)
}
