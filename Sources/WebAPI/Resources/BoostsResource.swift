// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension Resource {
    /// The leases of a display. A POST grants one, of one display or of all.
    static let boosts = [
        Resource("/v1/boost", .post(boost)),
        Resource("/v1/displays/{id}/boosts", .get(list), .post(boost)),
        Resource("/v1/displays/all/boosts", .post(boost)),
    ]
}

private func list(_ context: RequestContext) throws(Problem) -> Reply {
    let backend = context.backend
    let id = try backend.commands.state(of: context.target).id
    return .now(.json((backend.service.boosts(of: id) ?? BoostTable(display: id)).json))
}

private func boost(_ context: RequestContext) throws(Problem) -> Reply {
    try context.perform(.boost(from: context.body(isOptional: true)), answering: .lease)
}
