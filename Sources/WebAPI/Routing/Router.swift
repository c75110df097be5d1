// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Support

/// Finds the resource of a path. A path without parameters has priority over templates.
struct Router: Sendable {
    private let fixed: [String: Resource]
    private let templates: [Resource]
    /// Every path below `/v1` and of the documents, in the order of declaration.
    private let suggested: [Resource]

    init(_ resources: [Resource]) {
        suggested = resources.filter { $0.path.isSuggested }
        let (templates, fixed) = (resources.filter(\.path.hasParameters), resources.filter { !$0.path.hasParameters })
        self.fixed = Dictionary(uniqueKeysWithValues: fixed.map { ($0.path.text, $0) })
        self.templates = templates
    }

    /// The value of `Allow` in the response to `OPTIONS *`: every method of any resource.
    static let allowSomewhere =
        Method.allCases.filter { $0 != .other }.map(\.rawValue).joined(separator: ", ")

    struct Match {
        let resource: Resource
        /// The segments of the path; empty if the resource has no parameters.
        let segments: [Substring]
    }

    /// - Parameter path: Percent-decoded.
    func match(_ path: String) -> Match? {
        if let resource = fixed[path] { return Match(resource: resource, segments: []) }
        let segments = PathTemplate.split(path)
        return templates.first { $0.path.matches(segments) }.map { Match(resource: $0, segments: segments) }
    }

    /// The path that was probably meant by one that no resource has; `nil` if none resembles it.
    func nearest(to path: String) -> String? {
        guard path.utf8.count <= 128 else { return nil }
        let plain = "/" + path.lowercased().split(separator: "/").joined(separator: "/")
        for candidate in [plain, "/v1" + plain] where match(candidate).map(\.resource.path.isSuggested) ?? false {
            return candidate
        }
        let segments = PathTemplate.split(plain)
        let paths = suggested.compactMap { $0.path.filled(from: segments) }
        return Suggestion.nearest(to: plain, among: paths) ?? Suggestion.nearest(to: "/v1" + plain, among: paths)
    }

    /// The paths below `path` that support a method which it does not support itself, as a sentence; else empty.
    func advice(for method: Method, at path: String) -> String {
        let segments = PathTemplate.split(path)
        // Paths such as `/v1/displays/DP-1` have four segments, of which the first is empty.
        guard path.utf8.count <= 128, segments.count == 4 else { return "" }
        let below = suggested.filter { $0.operation(method) != nil && $0.path.isOneBelow(segments) }
        // The fifth segment is a literal, so its text here does not count.
        let paths = below.compactMap { $0.path.filled(from: segments + [""]) }
        return paths.isEmpty ? "" : " \(method.rawValue) \(Suggestion.list(paths, "or")) instead."
    }
}

extension Problem {
    static func pathNotFound(_ path: String, nearest: String?) -> Problem {
        let shown = path.plain(upTo: 128)
        guard let nearest else {
            return Problem(.notFound, "No resource has the path \(shown). GET /v1 and /docs list every path.")
        }
        let end = path.lowercased().hasPrefix(nearest) && path.hasSuffix("/") ? ", without the slash at the end" : ""
        return Problem(.notFound, "No resource has the path \(shown). Did you mean \(nearest)\(end)?")
    }
}

/// A path as `openapi.yaml` writes it, such as `/v1/displays/{id}/leases/{lease}`.
struct PathTemplate: Hashable, Sendable {
    private enum Segment: Hashable {
        case literal(Substring)
        case parameter(Substring)
    }

    let text: String
    private let segments: [Segment]
    let hasParameters: Bool

    init(_ text: String) {
        self.text = text
        segments = Self.split(text).map { segment in
            segment.first == "{" && segment.last == "}" ? .parameter(segment.dropFirst().dropLast()) : .literal(segment)
        }
        hasParameters = segments.contains { if case .parameter = $0 { true } else { false } }
    }

    /// Splits by bytes, which is four times as fast as by characters.
    static func split(_ path: String) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// Whether it is a path of the API or a document, which a mistyped path may have meant: no part of a page.
    var isSuggested: Bool {
        switch segments.dropFirst().first {
        case .literal("assets"), .literal("brightness"), .literal("dashboard"), .literal("problems"): false
        case .literal(let name):
            !name.hasSuffix(".js") && !name.hasSuffix(".css") && !text.hasPrefix("/v1/displays/all/")
        default: false
        }
    }

    /// The template with the segments of a path in place of parameters; `nil` if the number of segments differs.
    func filled(from path: [Substring]) -> String? {
        guard path.count == segments.count else { return nil }
        return zip(segments, path).map { segment, text in
            switch segment {
            case .literal(let literal): String(literal)
            case .parameter: String(text)
            }
        }.joined(separator: "/")
    }

    /// Whether it is a path with one literal segment more.
    func isOneBelow(_ path: [Substring]) -> Bool {
        guard case .literal = segments.last, segments.count == path.count + 1 else { return false }
        return zip(segments, path).allSatisfy { segment, text in
            if case .literal(let literal) = segment { literal == text } else { true }
        }
    }

    func matches(_ path: [Substring]) -> Bool {
        guard path.count == segments.count else { return false }
        return zip(segments, path).allSatisfy { segment, text in
            switch segment {
            case .literal(let literal): literal == text
            case .parameter: !text.isEmpty
            }
        }
    }

    /// Returns the value of a parameter in a matching path; `nil` if the template has no such parameter.
    func value(of name: String, in path: [Substring]) -> String? {
        zip(segments, path).first { segment, _ in segment == .parameter(name[...]) }.map { String($0.1) }
    }
}
