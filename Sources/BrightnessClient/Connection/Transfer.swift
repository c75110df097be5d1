// SPDX-License-Identifier: Apache-2.0
internal import CCurl

/// A request on its way over libcurl, and the bytes of its answer.
final class Transfer {
    let handle: UnsafeMutableRawPointer
    private let server: DaemonAddress
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var bytes: [UInt8] = []

    /// The longest answer in bytes; a longer one ends the transfer.
    private static let longestAnswer = 8 << 20

    /// - Parameter limit: Seconds for the whole answer; `nil` for a stream, which ends when no byte comes for a while.
    init(_ request: ClientRequest, to server: DaemonAddress, within limit: Int?, fields: [String] = [])
        throws(ClientError)
    {
        guard let handle = curl_easy_init() else { throw .unreachable("libcurl cannot start; is there memory left?") }
        self.handle = handle
        self.server = server
        var fields = fields
        if let token = server.token { fields.append("Authorization: Bearer \(token)") }
        if request.body != nil { fields.append("Content-Type: application/json") }
        fields.append("User-Agent: brightness/\(ClientVersion.text)")
        for field in fields { self.fields = curl_slist_append(self.fields, field) }

        ccurl_close_on_exec(handle)
        ccurl_set_headers(handle, self.fields)
        set(CURLOPT_URL, server.url + request.path)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_CONNECTTIMEOUT, 5)
        if let limit {
            set(CURLOPT_TIMEOUT, limit)
        } else {
            // A stream has a comment at least every 15 seconds.
            set(CURLOPT_LOW_SPEED_LIMIT, 1)
            set(CURLOPT_LOW_SPEED_TIME, 45)
        }
        if let socket = server.socket { set(CURLOPT_UNIX_SOCKET_PATH, socket) }
        if server.isLocal { set(CURLOPT_PROXY, "") }
        if let certificates = server.certificates { set(CURLOPT_CAINFO, certificates) }
        if let body = request.body {
            _ = body.withCString { ccurl_set_body(handle, $0, body.utf8.count) }
        }
        set(CURLOPT_CUSTOMREQUEST, request.method)
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_writer(
            handle,
            { start, size, count, context in
                guard let start, let context else { return 0 }
                return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().take(start, size * count)
            },
            context
        )
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(fields)
    }

    /// The HTTP status; 0 before there is one.
    var status: Int { ccurl_status(handle) }

    var isEventStream: Bool {
        status == 200 && ccurl_media_type(handle).map { String(cString: $0).hasPrefix("text/event-stream") } == true
    }

    /// Blocks until the whole answer is there.
    func perform() throws(ClientError) -> [UInt8] {
        let result = curl_easy_perform(handle)
        guard result == CURLE_OK else { throw error(result) }
        return takeBytes()
    }

    /// What came since the last call.
    func takeBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// One sentence for a transfer that libcurl could not carry out.
    func error(_ code: CURLcode) -> ClientError {
        let name = server.name
        return switch code {
        case CURLE_COULDNT_CONNECT:
            .unreachable(
                "Nobody answers at \(name): start brightnessd there, or name another place with --server or --unix."
            )
        case CURLE_COULDNT_RESOLVE_HOST:
            .unreachable("The host of \(name) is unknown: check --server.")
        case CURLE_OPERATION_TIMEDOUT:
            .unreachable(
                "\(name) does not answer in time: check that brightnessd runs there and no firewall is between."
            )
        case CURLE_PEER_FAILED_VERIFICATION:
            .unreachable("The certificate of \(name) cannot be verified: name its CA certificate with --ca-file.")
        case CURLE_SSL_CACERT_BADFILE:
            .usage("\(server.certificates ?? "The CA file") cannot be read: name CA certificates (PEM) with --ca-file.")
        case CURLE_URL_MALFORMAT:
            .usage("\"\(name)\" is not a server: give a URL such as \(DaemonAddress.defaultURL).")
        default:
            .unreachable(
                "\(name) cannot be used (\(String(cString: curl_easy_strerror(code)))): check --server and --unix."
            )
        }
    }

    private func take(_ start: UnsafeMutablePointer<CChar>, _ count: Int) -> Int {
        guard bytes.count + count <= Self.longestAnswer else { return 0 }
        bytes += UnsafeRawBufferPointer(start: start, count: count)
        return count
    }

    private func set(_ option: CURLoption, _ text: String) { ccurl_set_text(handle, option, text) }

    private func set(_ option: CURLoption, _ number: Int) { ccurl_set_number(handle, option, number) }
}
