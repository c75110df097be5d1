// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// The presets: one path for all, one for each, and one that applies it.
    static let presets = [
        Resource("/v1/presets", .get { $0.tagged(Preset.collection($0.backend.commands.presets)) }),
        Resource("/v1/presets/{name}", .get(read), .edit(.put, put), .edit(.delete, remove)),
        Resource("/v1/presets/{name}/apply", .write(.post, of: .displays, apply)),
    ]
}

private func read(_ context: RequestContext) throws(Problem) -> Reply {
    context.tagged(try context.preset.json)
}

private func put(_ context: RequestContext) throws(Problem) -> Reply {
    let name = try ResourceName(path: context.parameter("name") ?? "", of: "A preset")
    let preset = try Preset(name, from: context.body())
    for case .group(let group) in preset.rules.map(\.displays) { _ = try context.backend.commands.group(group.text) }
    return context.set(name, to: preset, "It can be applied")
}

private func remove(_ context: RequestContext) throws(Problem) -> Reply {
    try context.set(context.preset.name, to: nil, "It is removed")
}

private func apply(_ context: RequestContext) throws(Problem) -> Reply {
    try context.execute(.apply(context.preset.name, from: context.body(isOptional: true)))
}

extension RequestContext {
    fileprivate var preset: Preset {
        get throws(Problem) { try backend.commands.preset(parameter("name") ?? "") }
    }

    /// Adds, replaces or removes a preset, if the request's condition holds for it. It is stored before the response.
    fileprivate func set(_ name: ResourceName, to preset: Preset?, _ effect: String) -> Reply {
        let (condition, commands, deferred) = (precondition, backend.commands, Deferred.stored(effect))
        backend.configuration.saved.presets.set(name, to: preset, if: { condition.holds(for: $0?.json) }) { result in
            let response =
                switch result {
                case .success where preset == nil: Response.noContent
                case .success(let isNew): commands.response(to: name, isNew: isNew)
                case .failure(.changed): Problem.changedSince.response
                case .failure(.unknown): Problem.wasRemoved(name).response
                case .failure(.tooMany):
                    Problem.retry(
                        .serverLimitReached,
                        "The daemon has \(PresetService.limit) presets, the maximum. Remove one. Nothing was changed.",
                        after: 60
                    ).response
                }
            deferred.complete(response)
        }
        return .later(deferred)
    }
}

extension CommandHandler {
    /// Returns the response with a preset that was put.
    fileprivate func response(to name: ResourceName, isNew: Bool) -> Response {
        guard let stored = try? preset(name.text) else { return Problem.wasRemoved(name).response }
        return .tagged(stored.json, newAt: isNew ? "/v1/presets/\(name.text.percentEncoded())" : nil)
    }
}

extension Problem {
    fileprivate static func wasRemoved(_ name: ResourceName) -> Problem {
        Problem(.notFound, "Another client has removed the preset \"\(name.text)\".")
    }
}
