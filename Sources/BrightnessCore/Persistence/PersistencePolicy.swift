// SPDX-License-Identifier: Apache-2.0

/// The rules for when to store a display's record: before the panel is written, soon, or not at all if it is stored.
struct PersistencePolicy: Sendable {
    enum Urgency {
        /// Before the panel is written and the client gets its answer.
        case beforeWrite
        /// As `beforeWrite`, and the record must survive a power cut.
        case beforeWriteForPowerCut
        case soon
        /// After the panel is written: until then the stored record is right.
        case afterWrite
        case none
    }

    /// A record in an object, which is compared often and copied never: even for a member of `record`, a caller would
    /// copy all of it.
    final class SharedRecord: Sendable {
        let record: DisplayRecord

        init(_ record: DisplayRecord) { self.record = record }

        var isAtStake: Bool { record.isAtStake }
        var isUnaffected: Bool { record.isUnaffected }

        func isSame(as other: DisplayRecord) -> Bool { record == other }
    }

    /// The record that was accepted last.
    private(set) var submitted: SharedRecord?
    /// The record that the journal has.
    private(set) var stored: SharedRecord?
    /// Whether the file may contain a mark that could not be read.
    private var mayBeMarked: Bool
    private let keepsStepWithoutPower: Bool
    /// The newest mark that survives a power cut.
    private var storedForPowerCut: DisplayRecord?

    /// - Parameters:
    ///   - earlier: The record of an earlier run.
    ///   - first: The display's first record, if the earlier one could not be read. It counts as submitted, so the file
    ///     keeps the unreadable one until the first change replaces it.
    init(
        goingOnFrom earlier: RecoveredRecord?,
        orUnread first: DisplayRecord? = nil,
        keepsStepWithoutPower: Bool = false
    ) {
        // An earlier boot's record is rewritten at the first occasion: then the file states that the panel's step is of
        // this boot.
        submitted = (earlier?.isOfThisBoot == true ? earlier?.record : first).map { SharedRecord($0) }
        stored = (earlier?.record).map { SharedRecord($0) }
        mayBeMarked = first != nil
        self.keepsStepWithoutPower = keepsStepWithoutPower
    }

    /// Accepts a record, and returns how soon it has to be stored. Unless that is `.none` or `.afterWrite`, the journal
    /// gets it now.
    ///
    /// Without a lease, a record is stored soon: until the machine is restarted, the next start reads the step of a
    /// panel that keeps it. A change of the automatic mode or of the settings waits for the journal; lessons do not.
    /// While the file contains a mark, the panel's step may be taken for a boost's, so every record waits.
    ///
    /// Leases that end need no record before the write if the stored one has the same mark: after a crash they
    /// continue, as if they had not ended, because nothing was answered.
    ///
    /// - Parameters:
    ///   - isUnderWay: Whether the panel is in a transition.
    ///   - isBeforeWrite: Whether the panel is written at once, and the record is accepted again before anything is
    ///     answered.
    mutating func accept(
        _ record: DisplayRecord,
        isUnderWay: Bool = false,
        isBeforeWrite: Bool = false
    ) -> Urgency {
        if submitted?.isSame(as: record) == true { return .none }
        if isBeforeWrite, let stored, stored === submitted, record.onlyLacksLeases(of: stored.record) {
            return .afterWrite
        }
        let isAtStake = mayBeMarked || record.isAtStake || submitted?.isAtStake == true || stored?.isAtStake == true
        let isMarkedTransition = isUnderWay && hasStoredMark(of: record)
        let changesSettings = record.settings != (submitted ?? stored)?.record.settings ?? .none
        let changesMode = record.automatic.isEnabled != submitted?.record.automatic.isEnabled
        submitted = SharedRecord(record)
        guard (isAtStake && !isMarkedTransition) || changesSettings || changesMode else { return .soon }
        return noteForPowerCut(record) ? .beforeWriteForPowerCut : .beforeWrite
    }

    /// Whether the steps of a transition without a lease are marked already, so that it needs no wait. Otherwise each
    /// move of a slider would be a commit.
    private func hasStoredMark(of record: DisplayRecord) -> Bool {
        guard let stored, let submitted, record.ceiling != nil else { return false }
        return record.isUnaffected && submitted.isUnaffected && stored.isUnaffected
            && record.ceiling == stored.record.ceiling && record.floor == stored.record.floor
    }

    /// Returns whether a panel that is changed now could stay boosted, dimmed or dark forever after a power cut, and
    /// notes that the record is written for it.
    private mutating func noteForPowerCut(_ record: DisplayRecord) -> Bool {
        guard keepsStepWithoutPower else { return false }
        // A record without the mark may reach the disk before the next one with it.
        if !record.mayBeDark { storedForPowerCut?.mayBeDark = false }
        let isNewlyDark = record.mayBeDark && storedForPowerCut?.mayBeDark != true
        let hasMarkOfSteps = record.floor != nil && record.ceiling != nil
        let isWider = hasMarkOfSteps && storedForPowerCut?.hasMark(asWideAsThatOf: record) != true
        if isNewlyDark || isWider {
            storedForPowerCut = record
            return true
        }
        // Later records without a mark of the steps may replace the stored one on the disk.
        if !hasMarkOfSteps { storedForPowerCut = record.mayBeDark ? record : nil }
        return false
    }

    mutating func markStored(_ record: DisplayRecord) {
        stored = submitted?.isSame(as: record) == true ? submitted : SharedRecord(record)
        mayBeMarked = false
    }
}

extension DisplayRecord {
    /// Whether no lease or switch has an effect.
    fileprivate var isUnaffected: Bool { leases.isEmpty && !mayBeDark && powerBaseline }

    /// Whether its mark of the steps includes another record's, of the same baseline.
    fileprivate func hasMark(asWideAsThatOf other: DisplayRecord) -> Bool {
        guard let floor, let ceiling, let lowest = other.floor, let highest = other.ceiling else { return false }
        return floor <= lowest && ceiling >= highest && baselineStep == other.baselineStep
    }

    /// Whether it differs from another one only by leases that it lacks, and the panel stays on.
    fileprivate func onlyLacksLeases(of other: DisplayRecord) -> Bool {
        guard !mayBeDark, leases.count < other.leases.count, leases.allSatisfy(other.leases.contains) else {
            return false
        }
        var rest = other
        rest.leases = leases
        return rest == self
    }
}
