// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import HTTPClient

/// Sends requests to one daemon. Blocks.
struct Client {
    let server: DaemonAddress

    init(_ server: DaemonAddress) { self.server = server }

    /// A successful response.
    struct Response {
        let status: Int
        /// As the daemon sent it, without the line break at its end.
        let text: String
        let json: JSONNode
    }

    /// - Parameters:
    ///   - limit: Seconds.
    ///   - wait: Seconds for which the daemon waits for a slow panel; `nil` for its own time.
    /// - Throws: `.refused` for a status of 400 and above, `.unreachable` where no daemon answers.
    func send(
        _ request: ClientRequest,
        within limit: Int = 20,
        waiting wait: Int? = nil
    ) throws(ClientError) -> Response {
        let fields = wait.map { ["Prefer: wait=\($0)"] } ?? []
        let transfer = try server.transfer(request, within: limit, fields: fields)
        let bytes = try Result { () throws(TransferFailure) in try transfer.perform() }
            .mapError { server.error($0) }.get()
        let json = JSONDocument(parsing: bytes, upTo: .max)?.root
        guard transfer.status < 400 else { throw .refused(ProblemDocument(status: transfer.status, json)) }
        if transfer.status == 204, let nothing = JSONDocument(parsing: Array("{}".utf8))?.root {
            return Response(status: transfer.status, text: "", json: nothing)
        }
        guard (200..<300).contains(transfer.status), let json else {
            throw server.notBrightnessdError
        }
        var text = String(decoding: bytes, as: UTF8.self)[...]
        while text.last?.isNewline == true { text.removeLast() }
        return Response(status: transfer.status, text: String(text), json: json)
    }

    func states(of target: Target) throws(ClientError) -> [DisplayState] {
        let json = try send(target.state).json
        let documents = json["displays"]?.elements.map { Array($0) } ?? [json]
        let states = documents.compactMap { DisplayState(reading: $0) }
        guard states.count == documents.count else { throw server.notBrightnessdError }
        return states
    }
}

/// One request to the daemon.
package struct ClientRequest: Equatable, Sendable {
    package let method: String
    /// Path and query, percent-encoded.
    package let path: String
    /// JSON text; requests that change something have one.
    package let body: String?
}

extension ClientRequest {
    /// - Parameter write: Writes the members of the body.
    package init(_ method: String, _ path: String, _ write: ((inout JSONWriter) -> Void)? = nil) {
        let body = write.map { String(decoding: JSONWriter.object($0), as: UTF8.self) }
        self.init(method: method, path: path, body: body)
    }
}
