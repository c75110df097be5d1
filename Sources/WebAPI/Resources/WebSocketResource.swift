// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// The WebSocket: events and JSON-RPC calls.
    static let webSocket = Resource("/v1/ws", mediaType: nil, isStream: true, .get(open))
}

private func open(_ context: RequestContext) throws(Problem) -> Reply {
    let handshake: Handshake
    do {
        handshake = try Handshake(context.request)
    } catch {
        throw Problem(error)
    }
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
