// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

/// An authorized request and the services of its handler.
struct RequestContext {
    let backend: Backend
    let match: Router.Match
    let request: Request
    let caller: Caller

    /// Returns a parameter of the path; `nil` if the path has none of that name.
    func parameter(_ name: String) -> String? {
        match.resource.path.value(of: name, in: match.segments)
    }

    /// The display of the path: its parameter `id`, every display for the literal `all`, else the default one.
    var target: DisplayTarget {
        if let name = parameter("id") { return .named(name) }
        return match.resource.path.text.hasPrefix("/v1/displays/all/") ? .all : .byDefault
    }

    /// The request's JSON body.
    ///
    /// - Parameter isOptional: An empty body counts as `{}`.
    func body(isOptional: Bool = false) throws(Problem) -> RequestBody {
        try RequestBody(of: request, by: caller.name, isOptional: isOptional)
    }
}

extension RequestBody {
    /// - Parameters:
    ///   - defaultHolder: The holder if the body names none.
    ///   - isOptional: An empty body counts as `{}`.
    init(of request: Request, by defaultHolder: String? = nil, isOptional: Bool) throws(Problem) {
        guard !request.body.isEmpty else {
            guard !isOptional else {
                self.init(params: [:], by: defaultHolder)
                return
            }
            guard request.header("Content-Length") != nil || request.header("Transfer-Encoding") != nil else {
                throw Problem(
                    .lengthRequired,
                    "The request requires a body with a length. Send a JSON object, such as {\"brightness\":0.5}."
                )
            }
            throw Problem(.invalidJSON, "The body is empty. Send a JSON object, such as {\"brightness\":0.5}.")
        }
        if let type = request.header("Content-Type"), !Self.isJSON(type) {
            throw Problem(
                .unsupportedMediaType,
                "The Content-Type \"\(type.plain(upTo: 64))\" is not supported. Send application/json (with curl: "
                    + "--json)."
            )
        }
        try self.init(parsing: request.body, by: defaultHolder)
    }

    private static func isJSON(_ type: String) -> Bool {
        if type == "application/json" { return true }
        let essence = type.utf8.prefix { $0 != UInt8(ascii: ";") }
        let trimmed = String(decoding: essence, as: UTF8.self).split(separator: " ").joined().lowercased()
        return trimmed == "application/json"
    }
}
