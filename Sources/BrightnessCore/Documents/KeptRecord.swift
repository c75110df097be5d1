// SPDX-License-Identifier: Apache-2.0

/// A record that survives the daemon, such as a preset. The journal keeps its document.
package protocol KeptRecord: Document {
    /// The word for all records of this type in the journal, which no other type has.
    static var kind: String { get }
    /// The name of this record, which no other one of the type has.
    var key: String { get }

    init?(reading json: JSONNode)
}

extension RecordJournal {
    /// Stores a record in place of the previous one.
    ///
    /// - Parameters:
    ///   - record: `nil` removes it.
    ///   - completion: As that of `store`.
    package func keep<Record: KeptRecord>(
        _ record: Record?,
        under key: String,
        completion: @escaping @Sendable () -> Void
    ) {
        store(record?.json, RecordKey(Record.kind, key), completion: completion)
    }
}

extension JSONDocument {
    /// The maximum length of a record's document in bytes. The longest one is a schedule's that has set the baseline of
    /// hundreds of displays.
    private static let longestKept = 1 << 18

    /// Reads the document of a record; `nil` unless it is a JSON object.
    package static func kept(_ document: [UInt8]) -> JSONNode? {
        JSONDocument(parsing: document, upTo: longestKept)?.root.object
    }
}

extension KeptRecord {
    /// Reads a document of the journal; `nil` for an invalid one, and for that of another record.
    package init?(kept document: [UInt8], under key: String) {
        guard let json = JSONDocument.kept(document) else { return nil }
        self.init(reading: json)
        guard self.key == key else { return nil }
    }
}
