// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import HTTPServer

/// A request that was let in, with what its handler needs.
struct RequestContext {
    let backend: Backend
    let match: Router.Match
    let request: Request
    let authority: Authority

    /// A parameter of the path; `nil` if it has none of that name.
    func parameter(_ name: String) -> String? {
        match.resource.path.value(of: name, in: match.segments)
    }

    /// The display that the path means: its parameter `id`, every display for the literal `all`, else the default one.
    var target: DisplayTarget {
        if let name = parameter("id") { return .named(name) }
        return match.resource.path.text.hasPrefix("/v1/displays/all/") ? .all : .byDefault
    }

    /// The request's JSON body.
    ///
    /// - Parameter isOptional: An empty body counts as `{}`.
    func body(isOptional: Bool = false) throws(Problem) -> RequestBody {
        try RequestBody(of: request, by: authority.name, isOptional: isOptional)
    }
}
