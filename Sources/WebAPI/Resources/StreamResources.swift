// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// Server-sent events: every retained event of the filter, then every newer one.
    static let events = Resource("/v1/events", mediaType: .eventStream, isStream: true, .get(stream))

    /// The WebSocket: events and JSON-RPC calls.
    static let webSocket = Resource("/v1/ws", mediaType: nil, isStream: true, .get(open))
}

private func stream(_ context: RequestContext) throws(Problem) -> Reply {
    var stream = try context.streamRequest()
    let holders = try context.holders()
    if !holders.isEmpty, context.mayComeFromForeignPage {
        throw Problem(
            .forbidden,
            "A stream with holder= requires Accept: text/event-stream, or no Accept field, and from a browser the "
                + "Referer of a page of this host: any web page can make other requests."
        )
    }
    if !holders.isEmpty { stream.companion = context.backend.connection(of: holders, context.caller.principal) }
    return .stream(stream)
}

extension RequestContext {
    /// Whether a page of any origin can have made the request, with `<img>`, `<script>` or `fetch`. Over plain HTTP
    /// browsers then send neither `Origin` nor `Sec-Fetch-Site`, which `AccessPolicy` has checked, but `Accept` and
    /// `User-Agent`. The daemon's own pages also send `Referer`, which a foreign page can only leave out.
    fileprivate var mayComeFromForeignPage: Bool {
        // `AccessPolicy` has refused a foreign page with this field, or with `Sec-Fetch-Site`.
        if request.frequent.origin != nil { return false }
        if request.frequent.accept != nil, !Accept(request.list("Accept")).names(.eventStream) { return true }
        if request.header("Sec-Fetch-Site") != nil { return false }
        if let referer = request.header("Referer") { return !AccessPolicy.isOurs(referer, host: request.host) }
        return request.header("User-Agent")?.hasPrefix("Mozilla/") ?? false
    }
}

private func open(_ context: RequestContext) throws(Problem) -> Reply {
    let handshake = try Result { () throws(Handshake.Fault) in try Handshake(context.request) }
        .mapError { Problem($0) }.get()
    let stream = try context.streamRequest()
    let holders = try context.holders()
    guard holders.count <= 1 else {
        throw Problem(.invalidRequest, "A WebSocket accepts one holder, not \(holders.count).")
    }
    let session = JSONRPCSession(
        with: context.backend,
        context.caller,
        at: context.request.client,
        holder: holders.first
    )
    return .webSocket(WebSocketRequest(handshake, session, stream: stream))
}
