// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// Server-sent events: every retained fact of the filter, then every newer one.
    static let events = Resource("/v1/events", mediaType: .eventStream, isStream: true, .get(stream))
}

private func stream(_ context: RequestContext) throws(Problem) -> Reply {
    var stream = try context.streamRequest()
    let holders = try context.holders()
    if !holders.isEmpty, context.mayComeFromAPage {
        throw Problem(
            .forbidden,
            "A stream with holder= requires Accept: text/event-stream, or no Accept field: any web page can load an "
                + "image or a script with another one."
        )
    }
    if !holders.isEmpty { stream.companion = context.backend.connection(of: holders, context.caller.principal) }
    return .stream(stream)
}

extension RequestContext {
    /// Whether a page of any origin can have made the request, with `<img>` or `<script>`. Over plain HTTP browsers
    /// then send neither `Origin` nor `Sec-Fetch-Site`, but `Accept`. A `fetch` that sets `Accept` looks like an
    /// `EventSource` of the daemon's own pages.
    fileprivate var mayComeFromAPage: Bool {
        request.frequent.origin == nil && request.frequent.accept != nil
            && !Accept(request.list("Accept")).names(.eventStream)
    }
}
