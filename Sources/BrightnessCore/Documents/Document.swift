// SPDX-License-Identifier: Apache-2.0

/// A value that is written as a JSON object. `init(reading:)` stands next to `write(to:)` where a mirror or the client
/// reads it.
///
/// Reading ignores unknown members, since the other side may be newer, and rejects a document that lacks a member.
package protocol Document {
    func write(to json: inout JSONWriter)
}

extension Document {
    package var json: [UInt8] { JSONWriter.object { write(to: &$0) } }

    /// The document of several displays, which has one of these for each.
    package static func list(_ documents: [Self]) -> [UInt8] {
        JSONWriter.object { $0.member("displays", documents) }
    }
}

extension JSONWriter {
    /// Writes an object, or `null`.
    package mutating func member(_ name: StaticString, _ document: (some Document)?) {
        self.name(name)
        value(document)
    }

    /// As above, after a name.
    mutating func value(_ document: (some Document)?) {
        if let document { object { document.write(to: &$0) } } else { null() }
    }

    /// Writes an array of objects.
    package mutating func member(_ name: StaticString, _ documents: [some Document]) {
        member(name, objects: documents) { $1.write(to: &$0) }
    }
}
