// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
import Glibc

/// Takes a connection out of libmicrohttpd's hands once it has sent `101 Switching Protocols`.
///
/// libmicrohttpd lends the socket until we report that we are done with it. We duplicate it and report that at once; the
/// connection is then freed in the next `MHD_run`. Unlike an event stream's (`Adoption`) it goes to the clean-up list
/// directly, so that older idle connections do not keep it.
///
/// It is kept by its `Exchange`, which libmicrohttpd hands to both callbacks, so that a client that goes before the head
/// is sent leaves nothing.
///
/// - SeeAlso: libmicrohttpd 0.9.75, `MHD_response_execute_upgrade_` and `resume_suspended_connections`.
final class Upgrade: ConnectionUpgrade {
    private unowned let adopter: any Adopter
    private let client: ClientAddress
    private let room: StreamRoom
    private let request: WebSocketRequest
    private var isHandedOver = false

    init(by adopter: any Adopter, _ request: WebSocketRequest, of client: ClientAddress, in room: StreamRoom) {
        self.adopter = adopter
        self.request = request
        self.client = client
        self.room = room
    }

    var response: ResponseHandle {
        ResponseHandle(upgradeWith: [("Upgrade", "websocket"), ("Sec-WebSocket-Accept", request.handshake.accept)])
    }

    func handOver(_ connection: OpaquePointer, lent: Int32, early: [UInt8]) {
        let socket = cmhd_duplicate(lent)
        guard socket >= 0 else { return }
        isHandedOver = true
        // libmicrohttpd took it back.
        var isOn: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let webSocket = WebSocket(request.conversation)
        adopter.adopt(
            Arrival(socket, of: client, framing: .webSocket, request.stream, with: webSocket, early: early),
            from: connection
        )
    }

    deinit {
        // The client went before the head was sent.
        if !isHandedOver { room.giveBack(of: client) }
    }
}
