// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension Resource {
    /// The light in the room: the data of the newest `ambient` event.
    static let ambient = Resource("/v1/ambient", .get(read))
}

private func read(_ context: RequestContext) throws(Problem) -> Reply {
    guard case .ambient(let ambient) = context.backend.source.retained(.ambient) else {
        throw Problem(
            .unknownLight,
            "There is no light sensor here that has said anything yet, nor a stand-in for one."
        )
    }
    return .now(.json(ambient.json))
}
