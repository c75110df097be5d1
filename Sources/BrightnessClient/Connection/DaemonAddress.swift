// SPDX-License-Identifier: Apache-2.0
import Glibc
import HTTPClient
import Support

/// Where the daemon is, and the token and CA certificates for it.
struct DaemonAddress: Equatable, Sendable {
    static let defaultURL = "http://127.0.0.1:8787"

    /// Without a slash at the end.
    let url: String
    /// The daemon's Unix socket, used in place of the URL's host.
    let socket: String?
    let token: String?
    /// CA certificates (PEM) in place of the system's.
    let certificates: String?

    /// The options of the command line, or the variables of the environment.
    struct Settings {
        var server: String?
        var socket: String?
        var tokenFile: String?
        var token: String?
        var certificates: String?
    }

    /// Options have priority over variables. Of the variables, the socket and the token have priority.
    init(options: Settings, environment: Settings) throws(ClientError) {
        guard options.server == nil || options.socket == nil else {
            throw .usage("--server and --unix exclude each other: give one of them.")
        }
        let chosen = options.server == nil && options.socket == nil ? environment : options
        if let socket = chosen.socket {
            url = "http://localhost"
            self.socket = socket
        } else {
            url = try Self.url(chosen.server ?? Self.defaultURL)
            socket = nil
        }
        if let file = options.tokenFile ?? (environment.token == nil ? environment.tokenFile : nil) {
            token = try Self.readToken(file)
        } else {
            token = try environment.token.map { token throws(ClientError) in
                try Self.secret(in: token, from: "the variable BRIGHTNESS_TOKEN")
            }
        }
        certificates = options.certificates ?? environment.certificates
    }

    /// The daemon in messages.
    var name: String { socket ?? url }

    /// The error for the response of another server.
    var notBrightnessdError: ClientError {
        .unreachable("\(name) is not brightnessd: name its address with --server or --unix.")
    }

    /// Whether the daemon is on this machine, so that no proxy of the environment is used.
    var isLocal: Bool {
        let host = url.drop { $0 != "/" }.drop { $0 == "/" }
        return socket != nil || ["localhost", "127.", "[::1]"].contains { host.hasPrefix($0) }
    }

    private static func url(_ text: String) throws(ClientError) -> String {
        var url = text.contains("://") ? text : "http://\(text)"
        while url.hasSuffix("/") { url.removeLast() }
        // The root of the API, as documents state it.
        if url.hasSuffix("/v1") { url.removeLast("/v1".count) }
        guard url.hasPrefix("http://") || url.hasPrefix("https://"), !url.hasSuffix("/") else {
            throw .usage("\"\(text)\" is not a server: give a URL such as \(defaultURL).")
        }
        return url
    }

    private static func readToken(_ path: String) throws(ClientError) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw .usage(
                """
                The token file \(path) cannot be read (\(String(cString: strerror(errno)))); name another one with \
                --token-file.
                """
            )
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(file, &bytes, bytes.count)
        let line = bytes.prefix(max(count, 0)).split(separator: UInt8(ascii: "\n")).first ?? []
        return try secret(in: String(decoding: line, as: UTF8.self), from: "the token file \(path)")
    }

    /// Returns the text without surrounding white space, if it may be a token.
    private static func secret(in text: String, from source: String) throws(ClientError) -> String {
        let token = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        let parts = token.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count == 3, parts[1].split(separator: ",").allSatisfy({ ["read", "write", "admin"].contains($0) }) {
            throw .usage(
                "\(source) contains a line of the daemon's token file: write only its third part, the secret, there."
            )
        }
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .usage("There is no token in \(source): it needs the secret alone, in one line.")
        }
        return token
    }

    /// - Parameter limit: Seconds for the whole response; `nil` for a stream, which may last.
    func transfer(_ request: ClientRequest, within limit: Int?, fields: [String] = []) throws(ClientError) -> Transfer {
        var http = self.http(request, fields: fields)
        http.seconds = limit
        // A stream has a comment at least every 15 seconds.
        if limit == nil { http.silence = 45 }
        return try Result { () throws(TransferFailure) in try Transfer(http) }.mapError { error($0) }.get()
    }

    /// The HTTP request, without limits of time.
    func http(_ request: ClientRequest, fields: [String] = []) -> Transfer.Request {
        var http = Transfer.Request(url + request.path)
        http.method = request.method
        http.body = request.body
        http.fields = fields
        if let token { http.fields.append("Authorization: Bearer \(token)") }
        if request.body != nil { http.fields.append("Content-Type: application/json") }
        http.fields.append("User-Agent: brightness/\(ReleaseVersion.text)")
        http.socket = socket
        http.usesProxy = !isLocal
        http.certificates = certificates
        return http
    }

    /// One sentence for a transfer that failed.
    func error(_ failure: TransferFailure) -> ClientError {
        switch failure {
        case .library(let trouble):
            .unreachable("libcurl cannot be loaded (\(trouble)): install the package libcurl4.")
        case .unreachable:
            .unreachable(
                "No daemon answers at \(name): start brightnessd there, or name another with --server or --unix."
            )
        case .unknownHost: .unreachable("The host of \(name) is unknown: check --server.")
        case .timedOut:
            .unreachable(
                "\(name) does not answer in time: check that brightnessd runs there and that no firewall is in between."
            )
        case .untrusted:
            .unreachable("The certificate of \(name) cannot be verified: name its CA certificate with --ca-file.")
        case .certificateFile:
            .usage("\(certificates ?? "The CA file") cannot be read: name CA certificates (PEM) with --ca-file.")
        case .malformedURL: .usage("\"\(name)\" is not a server: give a URL such as \(Self.defaultURL).")
        case .tooLong: .unreachable("\(name) answers with too many bytes: check --server and --unix.")
        case .other(let text): .unreachable("\(name) cannot be used (\(text)): check --server and --unix.")
        }
    }
}
