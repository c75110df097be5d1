// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension Resource {
    /// Automatic brightness of a display, or of all of them.
    static let auto = [
        Resource("/v1/displays/{id}/auto", .put(set)),
        Resource("/v1/displays/all/auto", .put(set)),
    ]
}

private func set(_ context: RequestContext) throws(Problem) -> Reply {
    try context.perform(.setAutomatic(from: context.body()))
}
