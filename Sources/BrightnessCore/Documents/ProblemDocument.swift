// SPDX-License-Identifier: Apache-2.0

/// Why a request failed and what to do: `application/problem+json` (RFC 9457).
package struct ProblemDocument: Document, Equatable, Sendable {
    /// One fault of a body.
    package struct Fault: Document, Equatable, Sendable {
        /// The invalid member, as a JSON pointer (RFC 6901); empty for the whole body.
        package let pointer: String
        package let detail: String

        package init(at pointer: String, _ detail: String) {
            self.pointer = pointer
            self.detail = detail
        }

        package func write(to json: inout JSONWriter) {
            json.member("pointer", pointer)
            json.member("detail", detail)
        }

        init?(reading json: JSONNode) {
            guard let pointer = json["pointer"]?.string, let detail = json["detail"]?.string else { return nil }
            self.init(at: pointer.plain(upTo: 256), detail.plain(upTo: ProblemDocument.longestDetail))
        }
    }

    private static let types = "/problems/"
    private static let longestDetail = 1_024

    /// The last part of the member `type`, `/problems/NAME`.
    package let name: String
    package let title: String
    package var status: Int
    package let detail: String
    /// The faults of the body; empty for other problems.
    package let errors: [Fault]

    package init(_ name: String, title: String, status: Int, detail: String, errors: [Fault] = []) {
        self.name = name
        self.title = title
        self.status = status
        self.detail = detail
        self.errors = errors
    }

    package func write(to json: inout JSONWriter) {
        json.member("type", Self.types + name)
        json.member("title", title)
        json.member("status", status)
        json.member("detail", detail)
        if !errors.isEmpty { json.member("errors", errors) }
    }

    /// Control characters of texts are escaped, and long texts cut. As in RFC 9457, the title and the status may be
    /// missing.
    package init?(reading json: JSONNode) {
        guard let type = json["type"]?.string, type.hasPrefix(Self.types), let detail = json["detail"]?.string else {
            return nil
        }
        let name = String(type.dropFirst(Self.types.utf8.count)).plain(upTo: 64)
        self.init(
            name,
            title: json["title"]?.string?.plain(upTo: 64) ?? name,
            status: json["status"]?.count ?? 0,
            detail: detail.plain(upTo: Self.longestDetail),
            errors: json["errors"]?.elements.map { $0.compactMap { Fault(reading: $0) } } ?? []
        )
    }
}
