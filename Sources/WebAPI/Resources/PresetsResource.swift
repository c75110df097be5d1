// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// The presets: one path for all, one for each, and one that applies it.
    static let presets = [
        Resource("/v1/presets", .get(list)),
        Resource(
            "/v1/presets/{name}",
            .get(read),
            .put(isConditional: true, put),
            .delete(isConditional: true, remove)
        ),
        Resource("/v1/presets/{name}/apply", .post(of: .displays, apply)),
    ]
}

private func list(_ context: RequestContext) throws(Problem) -> Reply {
    context.tagged(Preset.collection(context.backend.commands.presets))
}

private func read(_ context: RequestContext) throws(Problem) -> Reply {
    context.tagged(try context.preset.json)
}

/// Adds or replaces a preset. It is stored before the response.
private func put(_ context: RequestContext) throws(Problem) -> Reply {
    try context.caller.require(.admin)
    let name = try ResourceName(path: context.parameter("name") ?? "", of: "A preset")
    let preset = try Preset(name, from: context.body())
    for case .group(let group) in preset.rules.map(\.displays) { _ = try context.backend.commands.group(group.text) }
    let commands = context.backend.commands
    let deferred = Deferred.stored("It can be applied")
    let condition = context.precondition
    try context.presetService.put(preset, if: { condition.holds(for: $0?.json) }) { result in
        switch result {
        case .success(let isNew):
            // Removed since.
            guard let stored = try? commands.preset(name.text) else {
                return deferred.complete(Problem.wasRemoved(name).response)
            }
            var fields: [Response.Field] = [("ETag", Precondition.tag(of: stored.json))]
            if isNew { fields.append(("Location", "/v1/presets/\(name.text.percentEncoded())")) }
            deferred.complete(.json(stored.json, status: isNew ? 201 : 200, fields: fields))
        case .failure(.changed):
            deferred.complete(Problem.changedSince.response)
        case .failure:
            deferred.complete(
                Problem.retry(
                    .serverLimitReached,
                    "The daemon has \(PresetService.limit) presets, the maximum. Remove one. Nothing was changed.",
                    after: 60
                ).response
            )
        }
    }
    return .later(deferred)
}

private func remove(_ context: RequestContext) throws(Problem) -> Reply {
    try context.caller.require(.admin)
    let name = try context.preset.name
    let deferred = Deferred.stored("It is removed")
    let condition = context.precondition
    try context.presetService.remove(name, if: { condition.holds(for: $0?.json) }) { result in
        switch result {
        case .success: deferred.complete(.noContent)
        case .failure(.changed): deferred.complete(Problem.changedSince.response)
        case .failure: deferred.complete(Problem.wasRemoved(name).response)
        }
    }
    return .later(deferred)
}

private func apply(_ context: RequestContext) throws(Problem) -> Reply {
    try context.perform(.apply(context.preset.name, from: context.body(isOptional: true)))
}

extension RequestContext {
    /// The preset of the path.
    fileprivate var preset: Preset {
        get throws(Problem) { try backend.commands.preset(parameter("name") ?? "") }
    }

    fileprivate var presetService: PresetService {
        get throws(Problem) {
            guard let presets = backend.configuration.presets else {
                throw Problem(.notFound, "This daemon has no presets.")
            }
            return presets
        }
    }
}

extension Problem {
    fileprivate static func wasRemoved(_ name: ResourceName) -> Problem {
        Problem(.notFound, "Another client has removed the preset \"\(name.text)\".")
    }
}
