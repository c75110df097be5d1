// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

/// One call of a client (JSON-RPC 2.0, section 4).
struct JSONRPCCall {
    /// Called once, on any thread.
    typealias Completion = @Sendable (Result<Response, JSONRPCError>) -> Void

    /// The id as JSON text; `nil` for a notification, which gets no response.
    let id: [UInt8]?
    let method: String
    let params: [String: JSONValue]

    /// A value that is not a call, with its id if it has one.
    struct Invalid: Error {
        let id: [UInt8]
        let error: JSONRPCError
    }

    init(_ value: JSONValue) throws(Invalid) {
        if case .array = value {
            throw Self.invalid(nil, "Batches are not supported: send each call as a message of its own.")
        }
        guard case .object(var members) = value else {
            throw Self.invalid(
                nil,
                "A call must be an object, such as {\"jsonrpc\":\"2.0\",\"method\":\"get\",\"id\":1}."
            )
        }
        let version = members.removeValue(forKey: "jsonrpc")
        let method = members.removeValue(forKey: "method")
        let params = members.removeValue(forKey: "params")
        let id = members.removeValue(forKey: "id")
        let text = id.flatMap(Self.text)
        if id != nil, text == nil {
            throw Self.invalid(nil, "id must be a string, null, or a number of at most 9007199254740991.")
        }
        guard version == .string("2.0") else {
            throw Self.invalid(text, "A call requires the member \"jsonrpc\":\"2.0\".")
        }
        guard case .string(let method) = method else {
            throw Self.invalid(text, "method must be a string.")
        }
        if let name = members.keys.min() { throw Self.invalid(text, "Unknown member \"\(name)\" of a call.") }
        self.id = text
        self.method = method
        switch params {
        case nil:
            self.params = [:]
        case .object(let params):
            self.params = params
        case .array:
            let problem = Problem(
                .invalidBody,
                "params must be an object with names, such as {\"brightness\":0.5}.",
                at: ""
            )
            throw Invalid(id: text ?? Self.null, error: JSONRPCError(problem))
        default:
            throw Self.invalid(text, "params must be an object.")
        }
    }

    /// The id of a response to a message without one.
    static let null = Array("null".utf8)

    /// Returns the response to the call with this id (JSON-RPC 2.0, section 5).
    static func response(_ result: Result<Response, JSONRPCError>, to id: [UInt8]) -> Response {
        let (member, value): (StaticString, Response) =
            switch result {
            case .success(let result): ("result", result)
            case .failure(let error): ("error", Response(status: 200, body: error.json))
            }
        let start = Array("{\"jsonrpc\":\"2.0\",\"\(member)\":".utf8)
        return value.enclosed(in: start, Array(",\"id\":".utf8) + id + Array("}".utf8))
    }

    private static func invalid(_ id: [UInt8]?, _ detail: String) -> Invalid {
        Invalid(id: id ?? null, error: .invalidRequest(detail))
    }

    private static func text(_ id: JSONValue) -> [UInt8]? {
        switch id {
        case .null:
            return null
        case .string(let string):
            var writer = JSONWriter()
            writer.string(string)
            return writer.bytes
        case .number(let number) where abs(number) <= 9_007_199_254_740_991:
            return Array((number == number.rounded() ? String(Int(number)) : String(number)).utf8)
        case .object, .array, .number, .bool:
            return nil
        }
    }
}

extension Result<Response, JSONRPCError> {
    static func result(_ json: some Sequence<UInt8>) -> Self { .success(Response(status: 200, body: Array(json))) }
}

/// Why a call failed (JSON-RPC 2.0, section 5.1), with the problem document of the REST resource.
struct JSONRPCError: Error {
    let code: Int
    let message: String
    let problem: Problem

    fileprivate var json: [UInt8] {
        JSONWriter.object { json in
            json.member("code", code)
            json.member("message", message)
            json.member("data", raw: problem.json)
        }
    }
}

extension JSONRPCError {
    /// The error of a valid call.
    init(_ problem: Problem) {
        let isOfParams = problem.type == .invalidBody
        self.init(
            code: isOfParams ? -32_602 : -32_000,
            message: isOfParams ? "Invalid params" : problem.type.title,
            problem: problem
        )
    }

    static let unanswered = JSONRPCError(
        .retry(
            .displayUnavailable,
            "The display did not respond within 30 seconds. The next state of the display shows whether it changed."
        )
    )

    static func unreadable(_ error: JSONSyntaxError) -> JSONRPCError {
        JSONRPCError(
            code: -32_700,
            message: "Parse error",
            problem: Problem(.invalidJSON, "The message is not valid JSON (RFC 8259): \(error).")
        )
    }

    static func invalidRequest(_ detail: String) -> JSONRPCError {
        JSONRPCError(code: -32_600, message: "Invalid Request", problem: Problem(.invalidBody, detail, at: ""))
    }

    static func unknownResponse(_ id: Int) -> JSONRPCError {
        .invalidRequest(
            "The daemon waits for no answer with the id \(id). A call has the member method; an answer has the id of "
                + "the call apply, and result or error."
        )
    }

    static func unknownMethod(_ name: String) -> JSONRPCError {
        let names = JSONRPCMethod.names.joined(separator: ", ")
        return JSONRPCError(
            code: -32_601,
            message: "Method not found",
            problem: Problem(.notFound, "Unknown method \"\(name)\". The methods are \(names).")
        )
    }
}

/// The methods of the WebSocket. Their params are the bodies of the REST resources, plus `display`.
enum JSONRPCMethod {
    case get
    case command(CommandMethod)
    case subscribe
    case provider(ProviderSession.Method)

    init?(_ name: String) {
        if let method = CommandMethod(rawValue: name) {
            self = .command(method)
        } else if let method = ProviderSession.Method(rawValue: name) {
            self = .provider(method)
        } else {
            switch name {
            case "get": self = .get
            case "subscribe": self = .subscribe
            default: return nil
            }
        }
    }

    static let names =
        ["get"] + CommandMethod.allCases.map(\.rawValue)
        + ["subscribe"] + ProviderSession.Method.allCases.map(\.rawValue)
}
