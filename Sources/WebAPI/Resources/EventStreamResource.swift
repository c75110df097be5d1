// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import HTTPServer

extension Resource {
    /// Server-sent events: every retained fact of the filter, then every newer one.
    static let events = Resource("/v1/events", mediaType: .eventStream, isStream: true, .get(stream))
}

private func stream(_ context: RequestContext) throws(Problem) -> Reply {
    var stream = try context.streamRequest()
    let holders = try context.holders()
    if !holders.isEmpty { stream.companion = context.backend.connection(of: holders, context.caller.principal) }
    return .stream(stream)
}
