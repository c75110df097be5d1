// SPDX-License-Identifier: Apache-2.0

/// Why a request failed and what to do: `application/problem+json` (RFC 9457).
package struct Problem: Error {
    package typealias Field = (name: String, value: String)

    package typealias Fault = ProblemDocument.Fault

    package let type: ProblemType
    /// The cause in this request, with the value, the limit and the remedy, in a sentence or two.
    package let detail: String
    /// The faults of the body; empty for other problems.
    package let errors: [Fault]
    /// Header fields of the HTTP response; other transports omit them.
    package var fields: [Field] = []

    package init(_ type: ProblemType, _ detail: String, at pointer: String? = nil, fields: [Field] = []) {
        self.type = type
        self.detail = detail
        errors = pointer.map { [Fault(at: $0, detail)] } ?? []
        self.fields = fields
    }

    /// An invalid body. Its detail is that of the first fault, with the number of all.
    ///
    /// - Parameter faults: At least one.
    init(_ faults: [Fault]) {
        type = .invalidBody
        let first = faults.first?.detail ?? "The body is invalid."
        detail = faults.count > 1 ? "\(first) The body has \(faults.count) faults; errors lists them." : first
        errors = faults
    }

    /// A temporary problem: a retry after `seconds` may succeed.
    package static func retry(_ type: ProblemType, _ detail: String, after seconds: Int = 5) -> Problem {
        Problem(type, detail, fields: [("Retry-After", String(seconds))])
    }

    package var json: [UInt8] {
        ProblemDocument(type.rawValue, title: type.title, status: type.status, detail: detail, errors: errors).json
    }
}
