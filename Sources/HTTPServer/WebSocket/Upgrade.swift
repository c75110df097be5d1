// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
import Glibc

/// The handover of a connection from libmicrohttpd to its shard, after `101 Switching Protocols` was sent.
///
/// libmicrohttpd lends the socket until the server reports that it is done. The server duplicates the socket and
/// reports at once; the next `MHD_run` frees the connection. Unlike an event stream's (`Adoption`) it goes to the
/// clean-up list directly, so older idle connections do not hold it.
///
/// Its `Exchange`, which libmicrohttpd passes to both callbacks, owns it. So a client that disconnects before the head
/// is sent leaves nothing behind.
///
/// - SeeAlso: libmicrohttpd 0.9.75, `MHD_response_execute_upgrade_` and `resume_suspended_connections`.
final class Upgrade: ConnectionUpgrade {
    private unowned let adopter: any Adopter
    private let client: ClientAddress
    private let limiter: StreamLimiter
    private let request: WebSocketRequest
    private var isHandedOver = false

    init(
        by adopter: any Adopter,
        _ request: WebSocketRequest,
        of client: ClientAddress,
        limitedBy limiter: StreamLimiter
    ) {
        self.adopter = adopter
        self.request = request
        self.client = client
        self.limiter = limiter
    }

    var response: ResponseHandle {
        ResponseHandle(upgradeWith: [("Upgrade", "websocket"), ("Sec-WebSocket-Accept", request.handshake.accept)])
    }

    func handOver(_ connection: OpaquePointer, lent: Int32, early: [UInt8]) {
        let socket = cmhd_duplicate(lent)
        guard socket >= 0 else { return }
        isHandedOver = true
        // libmicrohttpd reset this option.
        var isOn: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var stream = request.stream
        stream.companion = WebSocket(request.handler)
        let adopted = AdoptedSocket(socket: socket, client: client, framing: .webSocket, request: stream, early: early)
        adopter.adopt(adopted, from: connection)
    }

    deinit {
        // The client disconnected before the head was sent.
        if !isHandedOver { limiter.release(for: client) }
    }
}
