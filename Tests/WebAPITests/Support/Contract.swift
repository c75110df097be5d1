// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

@testable import WebAPI

/// The answers that `openapi.json` has.
enum Contract {
    private typealias Path = (template: String, segments: [Substring], methods: [String: [String: JSONValue]])

    /// The paths with the fewest parameters first.
    private static let paths: [Path] = {
        let document = Asset.all.first { $0.path == "/openapi.json" }?.bytes ?? []
        guard case .object(let paths)? = JSONValue(parsing: document, upTo: 1 << 20)?["paths"] else { return [] }
        return paths.map { template, item -> Path in
            let methods = ["GET", "PUT", "POST", "PATCH", "DELETE"].compactMap {
                method -> (String, [String: JSONValue])? in
                guard case .object(let answers)? = item["\(method.lowercased())/responses"] else { return nil }
                return (method, answers)
            }
            return (template, segments(of: template), Dictionary(uniqueKeysWithValues: methods))
        }.sorted { parameters($0) < parameters($1) }
    }()

    static var templates: [String] { paths.map(\.template) }

    private static func parameters(_ path: Path) -> Int { path.segments.count { $0.first == "{" } }

    private static func segments(of target: String) -> [Substring] {
        target.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
    }

    private static func path(of target: String) -> Path? {
        let wanted = segments(of: target)
        return paths.first { path in
            path.segments.count == wanted.count
                && zip(path.segments, wanted).allSatisfy { $0 == $1 || $0.first == "{" && !$1.isEmpty }
        }
    }

    /// The methods of the target's path, with HEAD and OPTIONS.
    static func methods(of target: String) -> Set<String> {
        let methods = path(of: target)?.methods ?? [:]
        return Set(methods.keys).union(methods["GET"] == nil ? ["OPTIONS"] : ["HEAD", "OPTIONS"])
    }

    static func has(_ status: Int, of method: String, _ target: String) -> Bool {
        // Other forms of a target are the server's, and files are in folders of any depth.
        if target.contains("%") || target.contains("://") || target.hasPrefix("/assets/") { return true }
        if let answers = path(of: target)?.methods[method == "HEAD" ? "GET" : method] {
            // Every file and document has an entity tag, whose condition openapi.yaml names where a client may need it.
            return answers["\(status)"] != nil || answers["default"] != nil && status >= 400
                || status == 304 && answers["200"] != nil
        }
        return method == "OPTIONS" && status == 204 || [400, 404, 405, 408, 414, 421, 431].contains(status)
    }
}

extension JSONValue {
    /// The value at a place such as `results/0/status`; `nil` if there is none.
    subscript(_ place: String) -> JSONValue? {
        place.split(separator: "/").reduce(Optional(self)) { value, name in
            switch value {
            case .object(let members)?: members[String(name)]
            case .array(let elements)?: Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            default: nil
            }
        }
    }

    /// The elements of an array; none of another value.
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
}

extension JSONValue: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral
{
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(integerLiteral value: Int) { self = .number(Double(value)) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}
