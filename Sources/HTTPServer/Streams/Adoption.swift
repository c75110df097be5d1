// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
import Glibc

/// Takes a connection out of libmicrohttpd's hands once it has sent the head of an event stream.
///
/// The first call of the content reader comes only after the head has been handed to the kernel. It duplicates the
/// socket and ends the connection for libmicrohttpd, which closes its own descriptor. Because of `MHD_USE_TURBO` it
/// does not `shutdown()` the socket, and it removes its descriptor from its epoll set by itself: so the duplicate lives
/// on, ours alone. Nothing stays suspended there: no scans, no pool held, no place of its connection limit taken.
///
/// A connection that ends inside its reader is freed when it is visited once more, and only the one that has been silent
/// longest is sure to be. One idle keep-alive connection would hold them all; so each asks to be visited.
///
/// - SeeAlso: libmicrohttpd 0.9.75, `MHD_connection_mark_closed_` and `MHD_cleanup_connections`.
final class Adoption {
    private unowned let adopter: any Adopter
    private let connection: OpaquePointer
    private let client: ClientAddress
    private let room: StreamRoom
    private var isHandedOver = false
    private let framing: Framing
    private let request: StreamRequest

    init(
        by adopter: any Adopter,
        of connection: OpaquePointer,
        from client: ClientAddress,
        framing: Framing,
        _ request: StreamRequest,
        in room: StreamRoom
    ) {
        self.adopter = adopter
        self.connection = connection
        self.framing = framing
        self.request = request
        self.client = client
        self.room = room
    }

    /// The stream's head, whose reader does the adoption.
    func response() -> ResponseHandle {
        ResponseHandle(
            fields: request.headFields,
            reader: { context, _, _, _ in
                guard let context else { return Int(MHD_CONTENT_READER_END_WITH_ERROR) }
                Unmanaged<Adoption>.fromOpaque(context).takeUnretainedValue().handOver()
                return Int(MHD_CONTENT_READER_END_WITH_ERROR)
            },
            context: Unmanaged.passRetained(self).toOpaque(),
            release: { context in
                if let context { Unmanaged<Adoption>.fromOpaque(context).release() }
            }
        )
    }

    private func handOver() {
        cmhd_visit_soon(connection)
        let socket = cmhd_duplicate(cmhd_socket(connection))
        guard socket >= 0 else { return }
        isHandedOver = true
        adopter.adopt(Arrival(socket, of: client, framing: framing, request), from: connection)
    }

    deinit {
        // The client went before the head was sent.
        if !isHandedOver { room.giveBack(of: client) }
    }
}

/// The loop that owns adopted sockets.
protocol Adopter: AnyObject {
    /// - Parameter connection: libmicrohttpd's, which has nothing more to do with the socket.
    func adopt(_ arrival: Arrival, from connection: OpaquePointer)
}

/// An adopted socket on its way to the streams.
struct Arrival {
    let socket: Int32
    let client: ClientAddress
    let framing: Framing
    let request: StreamRequest
    /// Kept as long as the connection.
    let companion: AnyObject?
    /// What its client sent already.
    let early: [UInt8]

    /// - Parameter companion: In place of the request's own.
    init(
        _ socket: Int32,
        of client: ClientAddress,
        framing: Framing,
        _ request: StreamRequest,
        with companion: AnyObject? = nil,
        early: [UInt8] = []
    ) {
        self.socket = socket
        self.client = client
        self.framing = framing
        self.request = request
        self.companion = companion ?? request.companion
        self.early = early
    }
}
