// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// Links to every resource of the API and to its documents.
    static let index = Resource("/v1", .get(scope: nil, readIndex))

    /// The same for programs that look for an API (RFC 9727).
    static let catalog = Resource("/.well-known/api-catalog", mediaType: .linkset, .get(scope: nil, readCatalog))

    fileprivate static let documents = ["/docs", "/openapi.json", "/openapi.yaml", "/asyncapi.yaml", "/readyz"]

    fileprivate var isInIndex: Bool { path.text.hasPrefix("/v1/") || Self.documents.contains(path.text) }
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
        json.name("links")
        json.array(Resource.all.filter(\.isInIndex)) { json, resource in
            json.object { json in
                json.member("href", resource.path.text)
                json.name("methods")
                json.array(resource.methods) { $0.string($1.rawValue) }
            }
        }
    }
    return .now(.json(body, fields: [Response.documentLinks]))
}

private func readCatalog(_ context: RequestContext) throws(Problem) -> Reply {
    let body = JSONWriter.object { json in
        json.name("linkset")
        json.array(CollectionOfOne("/v1")) { json, anchor in
            json.object { json in
                json.member("anchor", anchor)
                json.name("service-desc")
                json.array([("/openapi.json", "application/json"), ("/asyncapi.yaml", "application/yaml")]) {
                    $0.link($1)
                }
                json.name("service-doc")
                json.array(CollectionOfOne(("/docs", "text/html"))) { $0.link($1) }
                json.name("status")
                json.array(CollectionOfOne(("/readyz", "application/json"))) { $0.link($1) }
            }
        }
    }
    var response = Response.json(body, fields: [Response.documentLinks])
    let type = "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\""
    response.fields[0] = ("Content-Type", type)
    return .now(response)
}

extension MediaType {
    fileprivate static let linkset = MediaType("application/linkset+json")
}

extension JSONWriter {
    /// Writes a target of a linkset (RFC 9264).
    fileprivate mutating func link(_ target: (href: String, type: String)) {
        object {
            $0.member("href", target.href)
            $0.member("type", target.type)
        }
    }
}

extension Resource {
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
