// SPDX-License-Identifier: Apache-2.0

/// One property of a display, as a document of its own.
package protocol PropertyDocument {
    /// Writes the members of the document.
    func write(to json: inout JSONWriter)
}

extension PropertyDocument {
    /// The document of `GET /v1/displays/{id}/…`.
    package var json: [UInt8] { JSONWriter.object { write(to: &$0) } }

    /// The document of `GET /v1/displays/all/…`.
    package static func list(_ documents: [Self]) -> [UInt8] {
        JSONWriter.object { json in
            json.name("displays")
            json.array(documents) { json, document in json.object { document.write(to: &$0) } }
        }
    }
}
