// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
import Glibc

/// The handover of a connection from libmicrohttpd to its shard, after the head of an event stream was sent.
///
/// The first call of the content reader comes only after the head has been handed to the kernel. It duplicates the
/// socket and ends the connection for libmicrohttpd, which closes its own descriptor. Because of `MHD_USE_TURBO`,
/// libmicrohttpd does not `shutdown()` the socket, and it removes its descriptor from its epoll set by itself. So the
/// duplicate stays open, and only the shard owns it. libmicrohttpd holds nothing for it: no suspended connection to
/// scan, no memory pool, no slot of its connection limit.
///
/// libmicrohttpd frees a connection that ends inside its reader at the next visit, and only the connection that was
/// silent longest is sure to be visited. One idle keep-alive connection would hold them all, so each requests a visit.
///
/// - SeeAlso: libmicrohttpd 0.9.75, `MHD_connection_mark_closed_` and `MHD_cleanup_connections`.
final class Adoption {
    private unowned let adopter: any Adopter
    private let connection: OpaquePointer
    private let client: ClientAddress
    private let limiter: StreamLimiter
    private var isHandedOver = false
    private let framing: Framing
    private let request: StreamRequest

    init(
        by adopter: any Adopter,
        of connection: OpaquePointer,
        from client: ClientAddress,
        framing: Framing,
        _ request: StreamRequest,
        limitedBy limiter: StreamLimiter
    ) {
        self.adopter = adopter
        self.connection = connection
        self.framing = framing
        self.request = request
        self.client = client
        self.limiter = limiter
    }

    /// Returns the stream's head. Its content reader performs the handover.
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
        adopter.adopt(
            AdoptedSocket(socket: socket, client: client, framing: framing, request: request),
            from: connection
        )
    }

    deinit {
        // The client disconnected before the head was sent.
        if !isHandedOver { limiter.release(for: client) }
    }
}

/// The owner of adopted sockets.
protocol Adopter: AnyObject {
    /// - Parameter connection: libmicrohttpd's connection, which no longer uses the socket.
    func adopt(_ adopted: AdoptedSocket, from connection: OpaquePointer)
}

/// An adopted socket that is not yet a stream.
struct AdoptedSocket {
    let socket: Int32
    let client: ClientAddress
    let framing: Framing
    let request: StreamRequest
    /// Bytes that the client has sent already.
    var early: [UInt8] = []
}
