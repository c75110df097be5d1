// SPDX-License-Identifier: Apache-2.0

/// A store for records that survive the daemon. Any thread; nothing blocks.
package protocol DisplayJournal: Sendable {
    /// Stores a record, so that it survives `danger`, in place of the display's previous one.
    ///
    /// - Parameter completion: Called once, later, on a thread of the journal, after the record was stored or could not
    ///   be (a full disk, which the journal's health reports). The display continues in both cases.
    func keep(_ record: DisplayRecord, safeFrom danger: Danger, completion: @escaping @Sendable () -> Void)

    /// Stores a record without a completion: together with the next one, or within seconds.
    func keepSoon(_ record: DisplayRecord)

    /// Removes the record of a display that will not return.
    func forget(_ id: DisplayID)
}

extension DisplayJournal {
    package func forget(_ id: DisplayID) {}
}

/// An event that a record has to survive.
package enum Danger: Comparable, Sendable {
    /// The daemon ends at any instant. Surviving that needs no wait for the disk.
    case crash
    case powerCut
}

/// The ability of the journal to store records.
package enum JournalHealth: Hashable, Sendable {
    case durable
    /// Records are stored in a new file. The old file was unusable and set aside under this path, or was removed.
    case recreated(setAside: String?, why: String)
    /// Records cannot be stored: boosts work, but a crash forgets them. The payload is the reason, for people.
    case failing(String)
}

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
    /// The database compares it byte by byte.
    package let name: String

    package init(_ kind: String, _ name: String) { (self.kind, self.name) = (kind, name) }

    package var description: String { "\(kind) \(name.plain(upTo: 64))" }
}
