// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

/// A path of the API and its methods. Each file of `Resources` declares one or a few, and `Resource.all` lists them.
final class Resource: Sendable {
    let path: PathTemplate
    /// The media type of a successful response; `nil` for a WebSocket, which ignores `Accept`.
    let mediaType: MediaType?
    /// Another media type of the response to a GET, for clients that prefer it.
    let alternative: MediaType?
    /// Whether it is a stream or a WebSocket, for which a browser cannot send a header.
    let isStream: Bool
    /// Whether it is a shortcut: a resource of the default display, or of the one that `?display=` names.
    let isShortcut: Bool
    private let operations: [Operation]
    /// The value of `Allow`: its methods, HEAD with GET, and OPTIONS.
    let allow: String

    convenience init(
        _ path: String,
        mediaType: MediaType? = .json,
        or alternative: MediaType? = nil,
        isStream: Bool = false,
        _ operations: Operation...
    ) {
        self.init(path, mediaType: mediaType, or: alternative, isStream: isStream, isShortcut: false, operations)
    }

    private init(
        _ path: String,
        mediaType: MediaType?,
        or alternative: MediaType? = nil,
        isStream: Bool,
        isShortcut: Bool,
        _ operations: [Operation]
    ) {
        self.path = PathTemplate(path)
        self.mediaType = mediaType
        self.alternative = alternative
        self.isStream = isStream
        self.isShortcut = isShortcut
        self.operations = operations
        let methods = operations.map(\.method)
        allow = (methods + (methods.contains(.get) ? [.head] : []) + [.options]).map(\.rawValue).joined(separator: ", ")
    }

    /// The resources of one name: of the default display (a shortcut), of one display, of all, and of a group.
    ///
    /// - Parameters:
    ///   - alternative: Another media type of a GET.
    ///   - forAll: The operations on several displays; `nil` for the same ones.
    static func ofDisplays(
        _ name: String,
        or alternative: MediaType? = nil,
        _ operations: Operation...,
        forAll: [Operation]? = nil
    ) -> [Resource] {
        func resource(_ path: String, isShortcut: Bool = false, _ operations: [Operation]) -> Resource {
            let other = operations.contains { $0.method == .get } ? alternative : nil
            return Resource(path, mediaType: .json, or: other, isStream: false, isShortcut: isShortcut, operations)
        }
        return [
            resource("/v1/\(name)", isShortcut: true, operations),
            resource("/v1/displays/{id}/\(name)", operations),
            resource("/v1/displays/all/\(name)", forAll ?? operations),
            resource("/v1/groups/{group}/\(name)", forAll ?? operations),
        ]
    }

    /// Whether a GET costs the same with any number of displays, leases and schedules: health, files, problems.
    var hasConstantCost: Bool {
        path.text == "/livez" || path.text == "/readyz" || path.text.hasPrefix("/problems/")
            || path.text.hasPrefix("/assets/")
    }

    /// Its methods, without HEAD and OPTIONS.
    var methods: [Method] { operations.map(\.method) }

    func operation(_ method: Method) -> Operation? { operations.first { $0.method == method } }
}

/// One method of a resource.
struct Operation: Sendable {
    /// Called on the shard's thread for an authorized request. Must not block.
    typealias Handler = @Sendable (RequestContext) throws(Problem) -> Reply

    /// The range of a write. A token that is limited to some displays may not use writes of `.machine`.
    enum Reach: Sendable {
        /// The displays of its target. `CommandHandler` checks the limit of the caller.
        case displays
        /// The machine itself, and so perhaps every display of it.
        case machine
        /// Every display of this machine that is there now.
        case ownDisplays
    }

    let method: Method
    let reach: Reach
    /// Whether the handler of a write evaluates `If-Match` and `If-None-Match`.
    let isConditional: Bool
    /// The required scope; `nil` for public resources: documents, pages, health.
    let scope: Scope?
    let handler: Handler

    /// The operation of GET, which HEAD has as well.
    static func get(scope: Scope? = .read, _ handler: @escaping Handler) -> Operation {
        Operation(method: .get, reach: .displays, isConditional: false, scope: scope, handler: handler)
    }

    static func write(
        _ method: Method,
        of reach: Reach = .machine,
        isConditional: Bool = false,
        scope: Scope = .write,
        _ handler: @escaping Handler
    ) -> Operation {
        let isConditional = isConditional || reach == .displays
        return Operation(method: method, reach: reach, isConditional: isConditional, scope: scope, handler: handler)
    }

    /// A change of what people have set, by an administrator.
    static func edit(_ method: Method, _ handler: @escaping Handler) -> Operation {
        write(method, isConditional: true, scope: .admin, handler)
    }
}
