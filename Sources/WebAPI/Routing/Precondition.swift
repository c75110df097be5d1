// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

/// The conditions `If-Match` and `If-None-Match` of a write (RFC 9110, section 13.1).
///
/// Every write evaluates them: one of displays compares revisions at each display's turn, one of a document compares
/// its content within the change, and `WebApplication` refuses them for a resource without an entity tag.
struct Precondition: Sendable {
    private let ifMatch: [Substring]?
    private let ifNoneMatch: [Substring]?

    init(of request: Request) {
        ifMatch = request.list("If-Match").map(Condition.tags)
        ifNoneMatch = request.list("If-None-Match").map(Condition.tags)
    }

    /// Whether there is no condition.
    var isEmpty: Bool { ifMatch == nil && ifNoneMatch == nil }

    /// Whether they hold for a document. Call it where no other change comes between.
    ///
    /// - Parameter document: The response to its GET; `nil` if it does not exist.
    func holds(for document: @autoclosure () -> [UInt8]?) -> Bool {
        guard !isEmpty else { return true }
        let tag = document().map(Self.tag)
        return (ifMatch.map { Self.names(tag, in: $0) } ?? true) && !isKnown(tag)
    }

    /// Whether `If-None-Match` names this entity tag, by the weak comparison: the client of a GET has the document.
    func isKnown(_ tag: String?) -> Bool {
        Self.names(tag, in: (ifNoneMatch ?? []).map { $0.hasPrefix("W/") ? $0.dropFirst(2) : $0 })
    }

    private static func names(_ tag: String?, in tags: [Substring]) -> Bool {
        tag.map { tags.contains($0[...]) || tags.contains("*") } ?? false
    }

    /// Returns the revisions of a display at which its write is executed; `nil` for every revision.
    func revisions(in epoch: Epoch) throws(Problem) -> Set<Revision>? {
        // A display exists, so `If-None-Match: *` never holds.
        if ifNoneMatch != nil { throw .conditionFailed("A change of displays supports If-Match only.") }
        let condition = ifMatch.map { Condition($0, in: epoch, isStrong: true) }
        return condition?.isAny ?? true ? nil : condition?.revisions
    }

    /// The entity tag of a document: it changes with its content.
    static func tag(of document: [UInt8]) -> String { "\"\(ContentDigest(of: document).text)\"" }
}

extension RequestContext {
    var precondition: Precondition { Precondition(of: request) }

    /// Returns a document with its entity tag, or 304 to a client that has it.
    func tagged(_ document: [UInt8]) -> Reply {
        let tag = Precondition.tag(of: document)
        return .now(precondition.isKnown(tag) ? .unchanged(tag) : .tagged(document))
    }
}

extension Response {
    /// A document with its entity tag.
    ///
    /// - Parameter path: The path of a document that did not exist before.
    static func tagged(_ document: [UInt8], newAt path: String? = nil) -> Response {
        let fields = [("ETag", Precondition.tag(of: document))] + (path.map { [("Location", $0)] } ?? [])
        return .json(document, status: path == nil ? 200 : 201, fields: fields)
    }
}

extension Problem {
    static func conditionFailed(_ reason: String) -> Problem {
        Problem(.preconditionFailed, "\(reason) Nothing was changed.")
    }

    /// The document has another content than the request names.
    static let changedSince = conditionFailed("It was changed, removed or added since. GET it for the current ETag.")
}
