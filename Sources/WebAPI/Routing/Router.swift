// SPDX-License-Identifier: Apache-2.0
import HTTPServer

/// Finds the resource of a path. A path without parameters comes before one that only has the form of a template.
struct Router: Sendable {
    private let fixed: [String: Resource]
    private let templates: [Resource]

    init(_ resources: [Resource]) {
        let (templates, fixed) = (resources.filter(\.path.hasParameters), resources.filter { !$0.path.hasParameters })
        self.fixed = Dictionary(uniqueKeysWithValues: fixed.map { ($0.path.text, $0) })
        self.templates = templates
    }

    /// The value of `Allow` for the server itself, `OPTIONS *`: what some resource allows.
    static let allowSomewhere =
        Method.allCases.filter { $0 != .other }.map(\.rawValue).joined(separator: ", ")

    struct Match {
        let resource: Resource
        /// Of the path, for its parameters; none where the resource has none.
        let segments: [Substring]
    }

    /// - Parameter path: Percent-decoded.
    func match(_ path: String) -> Match? {
        if let resource = fixed[path] { return Match(resource: resource, segments: []) }
        let segments = PathTemplate.split(path)
        return templates.first { $0.path.matches(segments) }.map { Match(resource: $0, segments: segments) }
    }
}
