// SPDX-License-Identifier: Apache-2.0

/// Why a request failed and what to do: `application/problem+json` (RFC 9457).
package struct Problem: Error {
    package typealias Field = (name: String, value: String)

    package let type: ProblemType
    /// The cause in this request, with the value, the limit and the remedy, in a sentence or two.
    package let detail: String
    /// The invalid member of the body, as a JSON pointer (RFC 6901).
    package var pointer: String?
    /// Header fields of the HTTP response; other transports omit them.
    package var fields: [Field] = []

    package init(_ type: ProblemType, _ detail: String, at pointer: String? = nil, fields: [Field] = []) {
        self.type = type
        self.detail = detail
        self.pointer = pointer
        self.fields = fields
    }

    /// A problem that may be over `seconds` later.
    package static func retry(_ type: ProblemType, _ detail: String, after seconds: Int) -> Problem {
        Problem(type, detail, fields: [("Retry-After", String(seconds))])
    }

    package var json: [UInt8] {
        JSONWriter.object { json in
            json.member("type", "/problems/\(type.rawValue)")
            json.member("title", type.title)
            json.member("status", type.status)
            json.member("detail", detail)
            guard let pointer else { return }
            json.name("errors")
            json.array(CollectionOfOne(pointer)) { json, pointer in
                json.object {
                    $0.member("pointer", pointer)
                    $0.member("detail", detail)
                }
            }
        }
    }
}
