// SPDX-License-Identifier: Apache-2.0
import HTTPClient
import Support

extension DaemonAddress {
    /// - Parameter limit: Seconds for the whole answer; `nil` for a stream, which ends when no byte comes for a while.
    func transfer(_ request: ClientRequest, within limit: Int?, fields: [String] = []) throws(ClientError) -> Transfer {
        var http = self.http(request, fields: fields)
        http.seconds = limit
        // A stream has a comment at least every 15 seconds.
        if limit == nil { http.silence = 45 }
        do throws(TransferFailure) {
            return try Transfer(http)
        } catch {
            throw self.error(error)
        }
    }

    /// The request without limits.
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

    /// One sentence for a transfer that libcurl could not carry out.
    func error(_ failure: TransferFailure) -> ClientError {
        switch failure {
        case .library(let trouble):
            .unreachable("libcurl cannot be loaded (\(trouble)): install the package libcurl4.")
        case .unreachable:
            .unreachable(
                "Nobody answers at \(name): start brightnessd there, or name another place with --server or --unix."
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
