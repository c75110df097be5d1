// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD

package struct Response: Sendable {
    package typealias Field = (name: String, value: String)

    package var status: Int
    package var fields: [Field]
    /// The body, or the bytes before the shared part of it.
    package var body: [UInt8]
    /// The part of the body that other responses share.
    private(set) var shared: SharedBody?
    /// The bytes behind the shared part. Only messages of WebSockets have bytes around it.
    private(set) var end: [UInt8] = []

    /// A body up to this size fits the kernel's send buffer. A larger one may wait for its client.
    static let large = 16_384

    package init(status: Int, fields: [Field] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    package var length: Int { body.count + (shared?.count ?? 0) + end.count }

    /// The bytes of the body, also if it is shared.
    package var bytes: [UInt8] { body + (shared?.bytes ?? []) + end }

    /// Returns this response with bytes around its body. A shared body is not copied.
    package func enclosed(in start: [UInt8], _ end: [UInt8]) -> Response {
        var response = self
        response.body = start + body + (shared == nil ? end : [])
        if shared != nil { response.end += end }
        return response
    }

    /// Lets this response to several requests have one body in memory, if that is large.
    package mutating func share() {
        guard body.count > Self.large else { return }
        (shared, body) = (SharedBody(body), [])
    }

    /// The bytes on the wire, for a connection that ends after this response.
    var bytesOfLastResponse: [UInt8] {
        let reason = String(cString: MHD_get_reason_phrase_for(UInt32(status)))
        let all = fields + [("Content-Length", "\(body.count)"), ("Connection", "close")]
        let lines = ["HTTP/1.1 \(status) \(reason)"] + all.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }
}

/// A response that is created once and sent many times, such as a resource's state at one revision.
package final class CachedResponse {
    package let response: Response
    let handle: ResponseHandle

    package init(_ response: Response) {
        self.response = response
        handle = ResponseHandle(response)
    }
}

/// An owned `MHD_Response`. libmicrohttpd counts references: this one, and one for each connection that sends it.
struct ResponseHandle: ~Copyable {
    private let response: OpaquePointer

    init(_ content: Response) {
        // Both fail only when memory is exhausted, which Swift does not survive either.
        if let shared = content.shared {
            response = MHD_create_response_from_buffer_with_free_callback_cls(
                shared.count,
                shared.start,
                { body in if let body { Unmanaged<SharedBody>.fromOpaque(body).release() } },
                Unmanaged.passRetained(shared).toOpaque()
            )
            add(content.fields)
            return
        }
        response = content.body.withUnsafeBytes { bytes in
            MHD_create_response_from_buffer(
                bytes.count,
                UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                .RESPMEM_MUST_COPY
            )
        }
        add(content.fields)
    }

    /// Creates a response whose body `reader` produces. libmicrohttpd passes `context` to `release` at the end.
    init(
        fields: [Response.Field],
        reader: MHD_ContentReaderCallback,
        context: UnsafeMutableRawPointer,
        release: MHD_ContentReaderFreeCallback
    ) {
        // MHD_SIZE_UNKNOWN is a cast in C and not imported.
        response = MHD_create_response_from_callback(UInt64.max, 256, reader, context, release)
        add(fields)
    }

    /// Creates the head of an endless body, for HEAD.
    ///
    /// After a chunked head, libmicrohttpd 0.9.75 would send the end of the chunks, where the client expects the next
    /// response.
    init(endlessHead fields: [Response.Field]) {
        response = MHD_create_response_from_callback(UInt64.max, 256, { _, _, _, _ in -1 }, nil, nil)
        cmhd_close_after(response)
        add(fields)
    }

    /// Creates `101 Switching Protocols`. When it is sent, the connection is handed to the `upgrade` of its exchange.
    init(upgradeWith fields: [Response.Field]) {
        response = MHD_create_response_for_upgrade(
            { _, connection, state, early, earlyCount, socket, handle in
                let early = Array(UnsafeRawBufferPointer(start: early, count: earlyCount))
                if let connection {
                    ExchangePointer.exchange(state)?.upgrade?.handOver(connection, lent: socket, early: early)
                }
                cmhd_end_upgrade(handle)
            },
            nil
        )
        add(fields)
    }

    private borrowing func add(_ fields: [Response.Field]) {
        for field in fields {
            // Passing a Swift string directly would copy it first, even if it already ends with 0.
            field.name.withCString { name in
                field.value.withCString { value in _ = MHD_add_response_header(response, name, value) }
            }
        }
    }

    borrowing func queue(status: Int, on connection: OpaquePointer) -> MHD_Result {
        MHD_queue_response(connection, UInt32(status), response)
    }

    deinit { MHD_destroy_response(response) }
}

/// The body of responses to several requests, in memory that they share until all of them are sent.
final class SharedBody: @unchecked Sendable {  // written by `init` alone
    private let memory: UnsafeMutableRawBufferPointer

    init(_ body: [UInt8]) {
        memory = .allocate(byteCount: body.count, alignment: 1)
        memory.copyBytes(from: body)
    }

    deinit { memory.deallocate() }

    var count: Int { memory.count }

    /// Valid while this object exists.
    var start: UnsafeMutableRawPointer? { memory.baseAddress }

    var bytes: [UInt8] { Array(memory) }
}
