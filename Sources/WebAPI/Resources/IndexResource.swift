// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// Links to every resource of the API and to its documents.
    static let index = Resource("/v1", .get(scope: nil, readIndex))

    /// The links of the index for programs that look for an API (RFC 9727).
    static let catalog = Resource("/.well-known/api-catalog", mediaType: .linkset, .get(scope: nil, readCatalog))

    fileprivate static let documents = ["/docs", "/openapi.json", "/openapi.yaml", "/asyncapi.yaml", "/readyz"]

    fileprivate var isInIndex: Bool { path.text.hasPrefix("/v1/") || Self.documents.contains(path.text) }

    /// The explanation of each problem type, at the URL in its `type`.
    static let problems = ProblemType.allCases.map { type in
        Resource(
            "/problems/\(type.rawValue)",
            mediaType: .plainText,
            .get(scope: nil) { _ in
                .now(.text("\(type.title) (\(type.status))\n\n\(type.occurrence)\n\n\(type.remedy)\n"))
            }
        )
    }
}

/// Links to the documents of the API (RFC 8288, RFC 8631).
private let links =
    "</openapi.json>; rel=\"service-desc\"; type=\"application/json\", </docs>; rel=\"service-doc\"; "
    + "type=\"text/html\", </.well-known/api-catalog>; rel=\"api-catalog\""

extension Response {
    /// The links that lead from a page or an index to the documents of the API.
    static let documentLinks: Field = ("Link", links)
}

private func readIndex(_ context: RequestContext) throws(Problem) -> Reply {
    let body = JSONWriter.object { json in
        json.member("links", objects: Resource.all.filter(\.isInIndex)) { json, resource in
            json.member("href", resource.path.text)
            json.member("methods", each: resource.methods) { $0.string($1.rawValue) }
        }
    }
    return .now(.json(body, fields: [Response.documentLinks]))
}

/// The targets of a linkset by their relations (RFC 9264).
private let linkset: [(relation: StaticString, targets: [(href: String, type: String)])] = [
    ("service-desc", [("/openapi.json", "application/json"), ("/asyncapi.yaml", "application/yaml")]),
    ("service-doc", [("/docs", "text/html")]), ("status", [("/readyz", "application/json")]),
]

private func readCatalog(_ context: RequestContext) throws(Problem) -> Reply {
    let body = JSONWriter.object { json in
        json.member("linkset", objects: CollectionOfOne("/v1")) { json, anchor in
            json.member("anchor", anchor)
            for (relation, targets) in linkset {
                json.member(relation, objects: targets) {
                    $0.member("href", $1.href)
                    $0.member("type", $1.type)
                }
            }
        }
    }
    var response = Response.json(body, fields: [Response.documentLinks])
    let type = "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\""
    // In place of the `Content-Type` that `json` writes first.
    response.fields[0] = ("Content-Type", type)
    return .now(response)
}

extension MediaType {
    fileprivate static let linkset = MediaType("application/linkset+json")
}
