// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// Reports that somebody uses the machine, which ends what `idle` holds.
    static let activity = Resource("/v1/activity", .write(.post, of: .ownDisplays, report))
}

private func report(_ context: RequestContext) throws(Problem) -> Reply {
    var body = try context.body(isOptional: true)
    try body.end()
    context.backend.service.reportActivity()
    return .now(.noContent)
}
