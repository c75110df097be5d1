// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// Records with a name, such as the schedules: those of this run as far as it knows them, and which of them the file
/// lacks.
struct NamedRecords<Record: Sendable> {
    /// `nil` for a removed one.
    private var all: [ResourceName: Record?] = [:]
    private var unwritten: Set<ResourceName> = []

    init() {}

    /// The records that the file has.
    init(_ records: [(ResourceName, Record)]) { all = Dictionary(records) { _, last in last } }

    /// The records that are not removed.
    var present: [Record] { all.values.compactMap(\.self) }

    var isBehind: Bool { !unwritten.isEmpty }

    /// The records to write. One of `nil` is to be removed.
    var changes: [ResourceName: Record?] { all.filter { unwritten.contains($0.key) } }

    /// - Parameter record: `nil` removes it.
    mutating func put(_ name: ResourceName, _ record: Record?) {
        all[name] = .some(record)
        unwritten.insert(name)
    }

    /// Reports that the changes were written.
    mutating func wrote() {
        unwritten = []
        all = all.filter { $0.value != nil }
    }

    /// Reports that the file may be a new one.
    mutating func beginAgain() { unwritten = Set(all.keys) }
}
