// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Response {
    /// - Parameter body: A JSON text. A newline is added, so that a terminal's prompt begins a new line.
    static func json(_ body: [UInt8], status: Int = 200, fields: [Field] = []) -> Response {
        Response(status: status, fields: fieldsOfJSON + fields, body: body + newline)
    }

    private static let fieldsOfJSON: [Field] = [
        ("Content-Type", "application/json"), ("Cache-Control", "no-cache"), ("Vary", "Origin"),
    ]

    static let noContent = Response(status: 204, fields: [("Vary", "Origin")])

    static let newline = [UInt8(ascii: "\n")]

    static func text(_ text: String) -> Response {
        let fields = [("Content-Type", "text/plain; charset=utf-8"), ("Vary", "Origin")]
        return Response(status: 200, fields: fields, body: Array(text.utf8))
    }

    static func state(_ state: DisplayState, in epoch: Epoch, status: Int = 200) -> Response {
        json(state.json, status: status, fields: [("ETag", EntityTag(epoch, state.revision).text)])
    }

    /// 304: the client has the document with this entity tag.
    static func unchanged(_ tag: String) -> Response {
        Response(status: 304, fields: [("ETag", tag), ("Cache-Control", "no-cache"), ("Vary", "Origin")])
    }

    /// The result of a command so far: of one display, or an entry per display with 200 if all succeeded, else 207. A
    /// display that has not confirmed the command yet (202) has not succeeded.
    init(_ execution: CommandExecution, in epoch: Epoch) {
        let results = execution.results
        if !execution.isList, let only = results.first {
            self.init(only, in: epoch)
        } else {
            self = .json(CommandResult.list(results), status: results.allSatisfy(\.isDone) ? 200 : 207)
        }
    }

    private init(_ result: CommandResult, in epoch: Epoch) {
        switch result.outcome {
        case .done(let state), .accepted(let state):
            self = .state(state, in: epoch, status: result.status)
        case .restored(let state, _):
            self = .json(result.json, fields: [("ETag", EntityTag(epoch, state.revision).text)])
        case .granted(let lease, _), .renewed(let lease, _):
            let location = "/v1/displays/\(result.display)/leases/\(lease.id.text)"
            self = .json(result.json, status: result.status, fields: [("Location", location)])
        case .failed(let problem):
            self = problem.response
        }
    }
}

extension Reply {
    /// Whether it lets pages of every origin read it.
    var isForEveryOrigin: Bool {
        let fields: [Response.Field]
        switch self {
        case .now(let response): fields = response.fields
        case .cached(let kept): fields = kept.response.fields
        case .later, .stream, .webSocket: return false
        }
        return fields.contains { $0 == CORS.everyOrigin }
    }

    func adding(_ fields: [Response.Field]) -> Reply {
        if fields.isEmpty { return self }
        switch self {
        case .now(var response):
            response.fields += fields
            return .now(response)
        case .cached(let kept):
            return Reply.now(kept.response).adding(fields)
        case .later(let deferred):
            deferred.add(fields)
            return self
        case .stream(var stream):
            stream.fields += fields
            return .stream(stream)
        case .webSocket(var webSocket):
            webSocket.stream.fields += fields
            return .webSocket(webSocket)
        }
    }
}

extension Deferred {
    /// A response that waits for the journal does so for at most this long.
    private static let storing: Duration = .seconds(5)

    /// Returns the reply to a change that is in force at once, and answered when the journal has stored it. If that
    /// takes too long, the answer is a problem.
    ///
    /// - Parameter effect: The effect so far, as the beginning of a sentence, such as `It is in force`.
    static func stored(_ effect: String) -> Deferred {
        Deferred(limit: storing) {
            Problem.retry(
                .temporarilyUnavailable,
                "The change was not written to the state file in time. \(effect) until the daemon restarts, and after "
                    + "that only if it was written before."
            ).response
        }
    }
}
