// SPDX-License-Identifier: Apache-2.0

/// Where records are kept safe from the end of the daemon. Any thread; nothing here blocks.
package protocol DisplayJournal: Sendable {
    /// Keeps a record in place of the display's last one.
    ///
    /// - Parameter completion: Called once, later, on a thread of the journal: the record is safe, or it cannot be made
    ///   safe (a full disk) and its health says so. A display goes on either way.
    func keep(_ record: DisplayRecord, completion: @escaping @Sendable () -> Void)

    /// The same, when more may happen than that the daemon ends.
    func keep(_ record: DisplayRecord, safeFrom danger: Danger, completion: @escaping @Sendable () -> Void)

    /// The same, when nobody waits: together with what comes next, or within seconds.
    func keepSoon(_ record: DisplayRecord)
}

extension DisplayJournal {
    package func keep(_ record: DisplayRecord, safeFrom danger: Danger, completion: @escaping @Sendable () -> Void) {
        keep(record, completion: completion)
    }
}

/// What a record has to survive.
package enum Danger: Comparable, Sendable {
    /// The end of the daemon at any instant, which costs no wait for the disk.
    case crash
    /// The end of the machine's power.
    case powerCut
}

/// Whether what has to survive the daemon is safe.
package enum JournalHealth: Hashable, Sendable {
    case durable
    /// So it is, in a new file: the old one could not be used and was set aside under this path, or somebody removed it.
    case recreated(setAside: String?, why: String)
    /// Boosts work, but would be forgotten: why, in words for people.
    case failing(String)
}
