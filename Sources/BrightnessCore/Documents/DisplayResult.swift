// SPDX-License-Identifier: Apache-2.0

/// The result of a command on one display, in the document of a command for several.
///
/// `Content` is the display's own document: its text where the result is written, its value where it is read.
package struct DisplayResult<Content> {
    /// The member with the display's own document.
    package enum Part: String, CaseIterable, Sendable {
        case state, lease, problem
    }

    package let display: DisplayID
    package let status: Int
    package let part: Part
    package let content: Content
}

extension DisplayResult<[UInt8]> {
    package static func list(_ results: [Self]) -> [UInt8] {
        JSONWriter.object { json in
            json.member("results", objects: results) { json, result in
                json.member("display", result.display.text)
                json.member("status", result.status)
                json.name(any: result.part.rawValue)
                json.raw(result.content)
            }
        }
    }
}

extension DisplayResult<JSONNode> {
    /// Reads the results in a document; `nil` for another document. Results that are invalid are left out.
    package static func all(in json: JSONNode) -> (some Sequence<Self>)? {
        json["results"]?.elements.map { $0.lazy.compactMap { Self(reading: $0) } }
    }

    private init?(reading json: JSONNode) {
        guard let display = json["display"]?.display, let status = json["status"]?.count else { return nil }
        for part in Part.allCases {
            guard let content = json[any: part.rawValue] else { continue }
            self.init(display: display, status: status, part: part, content: content)
            return
        }
        return nil
    }
}
