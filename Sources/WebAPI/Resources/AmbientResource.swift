// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension Resource {
    /// The ambient light: the data of the newest `ambient` event.
    static let ambient = Resource("/v1/ambient", .get(read))
}

private func read(_ context: RequestContext) throws(Problem) -> Reply {
    guard case .ambient(let ambient) = context.backend.source.retained(.ambient) else {
        throw Problem(
            .notFound,
            "No light sensor has had a reading yet, and no display has an estimate. brightnessd probe lists the "
                + "sensors."
        )
    }
    return .now(.json(ambient.json))
}
