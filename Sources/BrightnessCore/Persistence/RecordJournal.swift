// SPDX-License-Identifier: Apache-2.0

/// A store for documents that survive the daemon, such as presets. Any thread; nothing blocks.
package protocol RecordJournal: Sendable {
    /// Stores a document in place of the previous one of that key.
    ///
    /// - Parameters:
    ///   - document: JSON; `nil` removes the record.
    ///   - completion: Called once, later, after it was stored or could not be. Then it is retried.
    func store(_ document: [UInt8]?, _ key: RecordKey, completion: @escaping @Sendable () -> Void)
}

/// The identity of a record in the journal.
package struct RecordKey: Hashable, Sendable, CustomStringConvertible {
    package let kind: String
    /// Compared byte by byte.
    package let name: String

    package init(_ kind: String, _ name: String) { (self.kind, self.name) = (kind, name) }

    package var description: String { "\(kind) \(name.plain(upTo: 64))" }
}
