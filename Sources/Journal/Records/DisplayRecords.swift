// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The newest record of each display, and its documents in the journal: one for the display, one for its settings, and
/// one for each lease.
struct DisplayRecords {
    private static let displayKind = "display"
    private static let leaseKind = "lease"

    private let clock: BootClock
    private(set) var all: [DisplayID: RecoveredRecord] = [:]
    /// The numbers of the leases, in the order of their grants.
    private var numbers: [LeaseID: Int] = [:]
    private var lastNumber = 0

    init(_ clock: BootClock) { self.clock = clock }

    /// Whether a display could not be restored after a crash without these records.
    var isAtStake: Bool { all.values.contains { $0.record.isAtStake } }

    /// Whether the document is part of a display's record, and not something that people have set.
    static func includes(_ key: RecordKey) -> Bool { key.kind == displayKind || key.kind == leaseKind }

    private static func key(of id: DisplayID) -> RecordKey { RecordKey(displayKind, id.text) }

    static func settingsKey(of id: DisplayID) -> RecordKey { RecordKey(SettingsRecord.kind, id.text) }

    private static func key(of lease: Lease) -> RecordKey { RecordKey(leaseKind, lease.id.text) }

    // MARK: Writing

    /// Takes a record in place of the display's previous one.
    ///
    /// - Parameter store: Gets the documents that differ; `nil` for one to be removed.
    mutating func put(_ record: DisplayRecord, at now: Moment, _ store: (RecordKey, [UInt8]?) -> Void) {
        let earlier = all.updateValue(RecoveredRecord(record, isOfThisBoot: true), forKey: record.id)
        // Leases and settings have documents of their own.
        var earlierDocument = earlier?.record ?? record
        (earlierDocument.leases, earlierDocument.settings) = (record.leases, record.settings)
        if earlier?.isOfThisBoot != true || earlierDocument != record {
            store(Self.key(of: record.id), document(of: record, boot: clock.boot, at: now))
        }
        if record.settings != earlier?.record.settings {
            let settings = record.settings == .none ? nil : SettingsRecord(record.id, record.settings).json
            store(Self.settingsKey(of: record.id), settings)
        }
        // Both lists have the order of the grants: missing leases have ended, and leases at the end are new.
        var new = record.leases[...]
        var changed: [Lease] = []
        for earlier in earlier?.record.leases ?? [] {
            if let lease = new.first, lease.id == earlier.id {
                if lease != earlier { changed.append(lease) }
                new.removeFirst()
            } else {
                numbers[earlier.id] = nil
                store(Self.key(of: earlier), nil)
            }
        }
        for lease in changed + new { store(Self.key(of: lease), document(of: lease, at: now)) }
    }

    /// Removes the record of a display. Returns the keys of its documents.
    mutating func forget(_ id: DisplayID) -> [RecordKey] {
        guard let record = all.removeValue(forKey: id)?.record else { return [] }
        for lease in record.leases { numbers[lease.id] = nil }
        return [Self.key(of: id), Self.settingsKey(of: id)] + record.leases.map(Self.key)
    }

    /// Notes a document that is stored without a record: the settings of an absent display may be one.
    mutating func note(_ document: [UInt8]?, under key: RecordKey) {
        guard key.kind == SettingsRecord.kind, let id = DisplayID(key.name) else { return }
        let settings = document.flatMap { SettingsRecord(kept: $0, under: key.name) }?.settings
        all[id]?.record.settings = settings ?? .none
    }

    private func document(of record: DisplayRecord, boot: String, at now: Moment) -> [UInt8] {
        record.json(inBoot: boot) { clock.written($0, at: now) }
    }

    private mutating func document(of lease: Lease, at now: Moment) -> [UInt8] {
        let number = numbers[lease.id] ?? lastNumber + 1
        (numbers[lease.id], lastNumber) = (number, max(lastNumber, number))
        return JSONWriter.object { json in
            lease.write(to: &json)
            json.member("number", number)
            json.member("deadline", lease.end.map { clock.written($0, at: now) })
        }
    }

    // MARK: Reading

    /// Recovers the records of an earlier run from its documents, except of displays that this run has already.
    ///
    /// - Parameter boot: The boot in which that run ended.
    /// - Returns: The documents that this run continues, and the keys of invalid ones, which another program may have
    ///   written.
    mutating func recover(
        _ found: [RecordKey: [UInt8]],
        ofBoot boot: String,
        at now: Moment
    ) -> (documents: [RecordKey: [UInt8]], invalid: [RecordKey]) {
        let own = Set(all.keys)
        let isOfThisBoot = boot == clock.boot && !boot.isEmpty
        var (documents, invalid) = ([RecordKey: [UInt8]](), [RecordKey]())
        for (key, document) in found where key.kind == Self.displayKind {
            guard let id = DisplayID(key.name), let json = JSONDocument.kept(document),
                let earlier = display(id, reading: json, at: now)
            else {
                invalid.append(key)
                continue
            }
            if own.contains(id) { continue }
            all[id] = earlier
            note(found[Self.settingsKey(of: id)], under: Self.settingsKey(of: id))
            // After a reboot: the end of a hold by this boot's clock, and no boot, since the panel's step is older.
            documents[key] =
                earlier.isOfThisBoot ? document : self.document(of: earlier.record, boot: "", at: now)
        }
        var leases: [(number: Int, lease: Lease)] = []
        for (key, document) in found where key.kind == Self.leaseKind {
            guard let json = JSONDocument.kept(document),
                let lease = lease(reading: json, isOfThisBoot: isOfThisBoot, at: now), Self.key(of: lease) == key,
                all[lease.display] != nil
            else {
                invalid.append(key)
                continue
            }
            leases.append((json["number"]?.integer ?? 0, lease))
        }
        for (_, lease) in leases.sorted(by: { $0.number < $1.number }) where !own.contains(lease.display) {
            guard all[lease.display]?.record.leases.count ?? 0 < LeaseTable.limit else {
                invalid.append(Self.key(of: lease))
                continue
            }
            all[lease.display]?.record.leases.append(lease)
            // Its end by this boot's clock.
            documents[Self.key(of: lease)] = self.document(of: lease, at: now)
        }
        return (documents, invalid)
    }

    private func display(_ id: DisplayID, reading json: JSONNode, at now: Moment) -> RecoveredRecord? {
        let isOfThisBoot = json["boot"]?.string == clock.boot && !clock.boot.isEmpty
        let record = DisplayRecord(reading: json, of: id) {
            clock.read($0, isOfThisBoot: isOfThisBoot, longest: AutomaticRules.longestHold, at: now)
        }
        return record.map { RecoveredRecord($0, isOfThisBoot: isOfThisBoot) }
    }

    private func lease(reading json: JSONNode, isOfThisBoot: Bool, at now: Moment) -> Lease? {
        guard let lease = Lease(reading: json, at: now) else { return nil }
        let deadline = json["deadline"].flatMap { PersistedDeadline(reading: $0) }
        // A lease without a time limit is not a custom one.
        guard deadline != nil || (json["deadline"]?.isNull == true && lease.lifespan != .custom) else { return nil }
        return lease.recovered(
            until: deadline.map {
                clock.read($0, isOfThisBoot: isOfThisBoot, longest: lease.kind.longestTTL, at: now)
            }
        )
    }
}
