// SPDX-License-Identifier: Apache-2.0
internal import CCurl

/// A request on its way over libcurl, and the bytes of its response. Used on one thread.
///
/// Redirects are not followed. Responses are not decompressed.
package final class Transfer {
    /// A request, and the limits of its response.
    package struct Request: Sendable {
        var url: String
        package var method = "GET"
        package var body: String?
        /// Header fields, each as `Name: value`.
        package var fields: [String] = []
        /// The server's Unix socket, used in place of the URL's host.
        package var socket: String?
        /// Whether a proxy that the environment names is used.
        package var usesProxy = true
        /// CA certificates (PEM) in place of the system's.
        package var certificates: String?
        /// Seconds for the whole response; `nil` for no limit.
        package var seconds: Int?
        /// Seconds without a byte of the response after which the transfer ends; `nil` for no limit.
        package var silence: Int?
        /// The bytes that are kept for `takeBytes`. More end the transfer. The state of a display has some 700 bytes,
        /// and a gateway 20,000 displays.
        package var longestResponse = 64 << 20
        /// Whether only a connection is made, for `WebSocketConnection`. With HTTP/1.1, and through a proxy by CONNECT.
        var connectsOnly = false
        /// The maximum speed of the response; `nil` for no limit.
        package var bytesPerSecond: Int?

        package init(_ url: String) { self.url = url }
    }

    let handle: UnsafeMutableRawPointer
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var bytes: [UInt8] = []
    private let longestResponse: Int

    package init(_ request: Request) throws(TransferFailure) {
        if let trouble = ccurl_load() { throw .library(String(cString: trouble)) }
        guard let handle = ccurl_new() else { throw .other("libcurl cannot start") }
        self.handle = handle
        longestResponse = request.longestResponse
        for field in request.fields { fields = ccurl_append(fields, field) }

        ccurl_close_on_exec(handle)
        ccurl_set_headers(handle, fields)
        // Other threads of the process have signals of their own.
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_URL, request.url)
        // A display may be called "..".
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_CONNECTTIMEOUT, 5)
        if request.connectsOnly {
            set(CURLOPT_CONNECT_ONLY, 1)
            set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
            set(CURLOPT_HTTPPROXYTUNNEL, 1)
        }
        if let seconds = request.seconds { set(CURLOPT_TIMEOUT, seconds) }
        if let silence = request.silence {
            set(CURLOPT_LOW_SPEED_LIMIT, 1)
            set(CURLOPT_LOW_SPEED_TIME, silence)
        }
        if let speed = request.bytesPerSecond {
            ccurl_set_size(handle, CURLOPT_MAX_RECV_SPEED_LARGE, curl_off_t(speed))
        }
        if let socket = request.socket { set(CURLOPT_UNIX_SOCKET_PATH, socket) }
        if !request.usesProxy { set(CURLOPT_PROXY, "") }
        if let certificates = request.certificates { set(CURLOPT_CAINFO, certificates) }
        if let body = request.body {
            _ = body.withCString { ccurl_set_body(handle, $0, body.utf8.count) }
        }
        set(CURLOPT_CUSTOMREQUEST, request.method)
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_writer(
            handle,
            { start, size, count, context in
                guard let start, let context else { return 0 }
                return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().receive(start, size * count)
            },
            context
        )
    }

    deinit {
        ccurl_free(handle)
        ccurl_free_list(fields)
    }

    /// The HTTP status; 0 before there is one.
    package var status: Int { ccurl_status(handle) }

    /// The media type of the response, without parameters, in lower case.
    package var mediaType: String? {
        ccurl_media_type(handle).map { type in
            String(cString: type).prefix { $0 != ";" && $0 != " " }.lowercased()
        }
    }

    package var isEventStream: Bool { status == 200 && mediaType == "text/event-stream" }

    package func hasField(_ name: String) -> Bool { ccurl_has_field(handle, name) != 0 }

    /// Blocks until the whole response is there.
    package func perform() throws(TransferFailure) -> [UInt8] {
        if let failure = TransferFailure(ccurl_perform(handle)) { throw failure }
        return takeBytes()
    }

    /// Returns the bytes that came since the last call.
    package func takeBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    private func receive(_ start: UnsafeMutablePointer<CChar>, _ count: Int) -> Int {
        guard bytes.count + count <= longestResponse else { return 0 }
        bytes += UnsafeRawBufferPointer(start: start, count: count)
        return count
    }

    private func set(_ option: CURLoption, _ text: String) { ccurl_set_text(handle, option, text) }

    private func set(_ option: CURLoption, _ number: Int) { ccurl_set_number(handle, option, number) }
}

/// The reason why a transfer did not succeed.
package enum TransferFailure: Error, Equatable {
    /// libcurl cannot be loaded, with the loader's message.
    case library(String)
    /// Nobody listens at the address, or no route leads there.
    case unreachable
    case unknownHost
    case timedOut
    /// The server's certificate cannot be verified.
    case untrusted
    /// The CA certificates cannot be read.
    case certificateFile
    case malformedURL
    /// The response has more bytes than are accepted.
    case tooLong
    /// libcurl's text for any other reason.
    case other(String)

    /// Returns `nil` for success.
    init?(_ code: CURLcode) {
        switch code {
        case CURLE_OK: return nil
        case CURLE_COULDNT_CONNECT: self = .unreachable
        case CURLE_COULDNT_RESOLVE_HOST: self = .unknownHost
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_PEER_FAILED_VERIFICATION: self = .untrusted
        case CURLE_SSL_CACERT_BADFILE: self = .certificateFile
        case CURLE_URL_MALFORMAT: self = .malformedURL
        case CURLE_WRITE_ERROR: self = .tooLong
        default: self = .other(String(cString: ccurl_text(code)))
        }
    }
}
