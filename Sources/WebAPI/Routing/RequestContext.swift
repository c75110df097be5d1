// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Support

/// An authorized request and the services of its handler.
struct RequestContext {
    let backend: Backend
    let match: Router.Match
    let request: Request
    let caller: Caller
    /// The origin of a page that may not use the daemon.
    let foreignOrigin: ForeignOrigin?

    /// Returns a parameter of the path; `nil` if the path has none of that name.
    func parameter(_ name: String) -> String? {
        match.resource.path.value(of: name, in: match.segments)
    }

    /// The displays of the request: the path's parameter `id` or `group`, every display for the literal `all` and for a
    /// preset; for a shortcut the one of `?display=`, else the default one.
    var target: DisplayTarget {
        if match.resource.isShortcut { return request.query("display").map { .named($0) } ?? .defaultDisplay }
        if let name = parameter("id") { return .named(name) }
        if let name = parameter("group") { return .group(name) }
        let path = match.resource.path.text
        return path.hasPrefix("/v1/displays/all/") || path.hasPrefix("/v1/presets/") ? .all : .defaultDisplay
    }

    /// Returns a document about the displays of the path. One about many displays is made on another thread.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of displays about which a shard makes the document itself.
    ///   - variant: Distinguishes the documents of one path.
    ///   - make: Makes the document; called on any thread.
    func document(
        beyond limit: Int = Backend.fewDisplays,
        _ variant: String = "",
        _ make: @escaping @Sendable (TargetDisplays, DisplayService) -> [UInt8]
    ) throws(Problem) -> Reply {
        let (target, commands, service) = (target, backend.commands, backend.service)
        guard backend.isLarge(target, beyond: limit) else {
            return .now(.json(make(try commands.displays(of: target), service)))
        }
        if case .group(let name) = target { _ = try commands.group(name) }
        return try backend.configuration.sharedResponses.reply("\(request.path) \(variant)", at: service.revision) {
            () throws(Problem) in
            (.json(make(try commands.displays(of: target), service)), nil)
        }
    }

    /// Rejects a header field that the daemon would have to carry out: a client that relies on it must know.
    func checkFields() throws(Problem) {
        if let coding = request.list("Content-Encoding"), coding.lowercased() != "identity" {
            throw Problem(
                .unsupportedMediaType,
                "The Content-Encoding \"\(coding.plain(upTo: 64))\" is not supported. Send the body as it is. Nothing "
                    + "was changed.",
                fields: [("Accept-Encoding", "identity")]
            )
        }
        guard request.header("Idempotency-Key") != nil else { return }
        throw Problem(
            .unsupportedField,
            "Idempotency-Key is not supported. Send the request without it: a boost with a holder renews, a PUT may be "
                + "repeated, and If-Match makes a PATCH conditional. Nothing was changed."
        )
    }

    /// Rejects query parameters that a command does not have: one that is mistyped must not pass for one that was
    /// honoured.
    func checkCommandQuery() throws(Problem) {
        guard request.hasQuery else { return }
        let (names, known) = (request.queryNames, match.resource.isShortcut ? ["display"] : [])
        if let name = names.first(where: { !known.contains($0) }) {
            let hint =
                switch (name, known.isEmpty) {
                case ("display", true): "The path names the display."
                case (_, true): "This request has none; members belong in the body."
                case (_, false): "This request has \(Suggestion.list(known)); members belong in the body."
                }
            throw Problem(
                .invalidRequest,
                "Unknown query parameter \"\(name.plain(upTo: 64))\". \(hint) Nothing was changed."
            )
        }
        if names.count > 1 {
            throw Problem(.invalidRequest, "display may be given once. Nothing was changed.")
        }
        if request.query("display") == "all" {
            let path = request.path.replacing("/v1/", with: "/v1/displays/all/")
            throw Problem(
                .invalidRequest,
                "display names one display. \(path) is for every display. Nothing was changed."
            )
        }
    }

    /// The request's JSON body.
    ///
    /// - Parameters:
    ///   - isOptional: An empty body counts as `{}`.
    ///   - longest: Its maximum length in bytes.
    func body(
        isOptional: Bool = false,
        upTo longest: Int = JSONDocument.defaultLongest
    ) throws(Problem) -> RequestBody {
        guard !request.body.isEmpty else {
            if isOptional { return RequestBody(params: [:], by: caller.name) }
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
        return try RequestBody(parsing: request.body, upTo: longest, by: caller.name)
    }

    private static func isJSON(_ type: String) -> Bool {
        if type == "application/json" { return true }
        let essence = type.utf8.prefix { $0 != UInt8(ascii: ";") }
        let trimmed = String(decoding: essence, as: UTF8.self).split(separator: " ").joined().lowercased()
        return trimmed == "application/json"
    }
}
