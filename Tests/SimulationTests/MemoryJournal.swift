// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// Keeps the records of a daemon that may be killed at any time.
final class MemoryJournal: DisplayJournal, @unchecked Sendable {  // One thread: the test's.
    private(set) var records: [DisplayID: DisplayRecord] = [:]
    /// Whether the daemon was killed: then nothing is kept.
    var isKilled: () -> Bool = { false }

    /// The records for the next run in the same boot.
    var recovered: [DisplayID: RecoveredRecord] { records.mapValues { RecoveredRecord($0, isOfThisBoot: true) } }

    func keep(_ record: DisplayRecord, safeFrom danger: Danger, completion: @escaping @Sendable () -> Void) {
        keepSoon(record)
        completion()
    }

    func keepSoon(_ record: DisplayRecord) { if !isKilled() { records[record.id] = record } }
    func forget(_ id: DisplayID) { if !isKilled() { records[id] = nil } }
}
