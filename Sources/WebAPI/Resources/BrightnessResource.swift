// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension Resource {
    /// The brightness of a display, or of all of them.
    static let brightness = [
        Resource("/v1/brightness", .get(readState), .put(set), .patch(adjust)),
        Resource("/v1/displays/{id}/brightness", .get(readState), .put(set), .patch(adjust)),
        Resource("/v1/displays/all/brightness", .put(set), .patch(adjust)),
    ]
}

private func set(_ context: RequestContext) throws(Problem) -> Reply {
    try context.perform(.set(from: context.body()))
}

private func adjust(_ context: RequestContext) throws(Problem) -> Reply {
    try context.perform(.adjust(from: context.body()))
}
