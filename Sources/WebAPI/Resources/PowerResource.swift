// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension Resource {
    /// The power of a display, or of all of them.
    static let power = [
        Resource("/v1/power", .put(set)),
        Resource("/v1/displays/{id}/power", .put(set)),
        Resource("/v1/displays/all/power", .put(set)),
    ]
}

private func set(_ context: RequestContext) throws(Problem) -> Reply {
    try context.perform(.power(from: context.body()))
}
