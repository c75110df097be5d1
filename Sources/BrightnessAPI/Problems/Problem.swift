// SPDX-License-Identifier: Apache-2.0

/// An answer that says what went wrong and what to do: `application/problem+json`, RFC 9457.
package struct Problem: Error {
    /// A header field of HTTP.
    package typealias Field = (name: String, value: String)

    package let type: ProblemType
    /// What is wrong with this request, in a sentence or two.
    package let detail: String
    /// The member of the body it is about, as a JSON pointer (RFC 6901).
    package var pointer: String?
    /// What HTTP sends with it; other transports have no place for these.
    package var fields: [Field] = []

    package init(_ type: ProblemType, _ detail: String, at pointer: String? = nil, fields: [Field] = []) {
        self.type = type
        self.detail = detail
        self.pointer = pointer
        self.fields = fields
    }

    /// The answer to a request that cannot be carried out now, but may be in a moment.
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
