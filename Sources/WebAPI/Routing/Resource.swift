// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import HTTPServer

/// A path of the API with everything that can be asked of it. Each file of `Resources` declares one or a few of these, and
/// `Resource.all` lists them.
struct Resource: Sendable {
    let path: PathTemplate
    /// What it answers with when nothing is wrong; `nil` for a WebSocket, which is no matter of `Accept`.
    let mediaType: MediaType?
    /// Whether it is a stream without an end, for which a browser cannot send a header.
    let isStream: Bool
    private let operations: [Operation]
    /// The value of `Allow`: besides its methods HEAD, wherever GET is, and OPTIONS, everywhere.
    let allow: String

    init(
        _ path: String,
        mediaType: MediaType? = .json,
        isStream: Bool = false,
        _ operations: Operation...
    ) {
        self.path = PathTemplate(path)
        self.mediaType = mediaType
        self.isStream = isStream
        self.operations = operations
        let methods = operations.map(\.method)
        allow = (methods + (methods.contains(.get) ? [.head] : []) + [.options]).map(\.rawValue).joined(separator: ", ")
    }

    func operation(_ method: Method) -> Operation? { operations.first { $0.method == method } }
}

/// One method of a resource.
struct Operation: Sendable {
    /// Called on the shard's thread, once the client was let in. Must not block.
    typealias Handler = @Sendable (RequestContext) throws(Problem) -> Reply

    let method: Method
    /// The scope that a client needs; `nil` for what has no secrets: documents, pages, whether the daemon is well.
    let scope: Scope?
    let handler: Handler

    /// Also answers HEAD.
    static func get(scope: Scope? = .read, _ handler: @escaping Handler) -> Operation {
        Operation(method: .get, scope: scope, handler: handler)
    }

    static func post(_ handler: @escaping Handler) -> Operation { write(.post, handler) }
    static func put(_ handler: @escaping Handler) -> Operation { write(.put, handler) }
    static func patch(_ handler: @escaping Handler) -> Operation { write(.patch, handler) }
    static func delete(_ handler: @escaping Handler) -> Operation { write(.delete, handler) }

    private static func write(_ method: Method, _ handler: @escaping Handler) -> Operation {
        Operation(method: method, scope: .write, handler: handler)
    }
}
