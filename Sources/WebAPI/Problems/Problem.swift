// SPDX-License-Identifier: Apache-2.0
import HTTPServer

/// An answer that says what went wrong and what to do: `application/problem+json`, RFC 9457.
struct Problem: Error {
    let type: ProblemType
    /// What is wrong with this request, in a sentence or two.
    let detail: String
    /// The member of the body it is about, as a JSON pointer (RFC 6901).
    var pointer: String?
    var fields: [Response.Field] = []

    init(_ type: ProblemType, _ detail: String, at pointer: String? = nil, fields: [Response.Field] = []) {
        self.type = type
        self.detail = detail
        self.pointer = pointer
        self.fields = fields
    }

    /// The answer to a request that cannot be carried out now, but may be in a moment.
    static func retry(_ type: ProblemType, _ detail: String, after seconds: Int) -> Problem {
        Problem(type, detail, fields: [("Retry-After", String(seconds))])
    }

    var json: [UInt8] {
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

    var response: Response {
        Response(
            status: type.status,
            fields: [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")] + fields,
            body: json
        )
    }
}
