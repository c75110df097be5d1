// SPDX-License-Identifier: Apache-2.0

/// The rules for when to store a display's record: before the panel is written, soon, or not at all if it is stored.
struct PersistencePolicy: Sendable {
    enum Urgency {
        /// Before the panel is written and the client gets its answer.
        case first
        /// As `first`, and the record must survive a power cut.
        case firstSafeFromPowerCut
        case soon
        case none
    }

    private var given: DisplayRecord?
    private var safe: DisplayRecord?
    /// Whether the file may contain a mark that could not be read.
    private var mayBeMarked: Bool
    private let keepsStepWithoutPower: Bool
    /// The newest mark that survives a power cut.
    private var powerSafe: DisplayRecord?

    /// - Parameters:
    ///   - earlier: The record of an earlier run.
    ///   - first: The display's first record, if the earlier one could not be read. The file keeps the unreadable one
    ///     until the first change replaces it.
    ///   - keepsStepWithoutPower: Whether the panel keeps its step without power.
    init(
        goingOnFrom earlier: RecoveredRecord?,
        orUnread first: DisplayRecord? = nil,
        keepsStepWithoutPower: Bool = false
    ) {
        // An earlier boot's record is rewritten at the first occasion: then the file states that the panel's step is of
        // this boot.
        given = earlier?.isOfThisBoot == true ? earlier?.record : first
        safe = earlier?.record
        mayBeMarked = first != nil
        self.keepsStepWithoutPower = keepsStepWithoutPower
    }

    /// Returns how soon `record` has to be stored. Unless that is `.none`, the caller passes it to the journal now.
    ///
    /// Without a lease, a record is stored soon: until the machine is restarted, the next start reads the step of a
    /// panel that keeps it. A change of the automatic mode or of the settings waits for the journal; lessons do not.
    /// While the file contains a mark, the panel's step may be taken for a boost's, so every record waits.
    ///
    /// - Parameter isUnderWay: Whether the panel is in a transition.
    mutating func give(_ record: DisplayRecord, isUnderWay: Bool = false) -> Urgency {
        if record == given { return .none }
        let isAtStake =
            mayBeMarked || [record, given, safe].contains { $0?.isAtStake == true }
        let old = given?.automatic ?? .none
        let isConfigured = record.settings != (given ?? safe)?.settings ?? .none
        // A transition without a lease, whose steps are marked already, needs no wait. Otherwise each move of a slider
        // would be a commit.
        let isFree = [record, given, safe].allSatisfy {
            $0?.leases.isEmpty == true && $0?.mayBeDark == false && $0?.powerBaseline == true
        }
        let mayWait =
            isUnderWay && isFree && record.ceiling != nil && record.ceiling == safe?.ceiling
            && record.floor == safe?.floor
        given = record
        let isChosen = isConfigured || record.automatic.isEnabled != old.isEnabled
        guard isAtStake && !mayWait || isChosen else { return .soon }
        return isDueForPowerCut(record) ? .firstSafeFromPowerCut : .first
    }

    /// Whether a panel that is changed now could stay boosted, dimmed or dark forever after a power cut.
    private mutating func isDueForPowerCut(_ record: DisplayRecord) -> Bool {
        // A record without the mark may reach the disk before the next one with it.
        if !record.mayBeDark { powerSafe?.mayBeDark = false }
        if keepsStepWithoutPower, record.mayBeDark, powerSafe?.mayBeDark != true {
            powerSafe = record
            return true
        }
        guard keepsStepWithoutPower, let floor = record.floor, let ceiling = record.ceiling else {
            powerSafe = keepsStepWithoutPower && record.mayBeDark ? record : nil
            return false
        }
        if let powerSafe, let lowest = powerSafe.floor, let highest = powerSafe.ceiling, lowest <= floor,
            highest >= ceiling, powerSafe.baselineStep == record.baselineStep
        {
            return false
        }
        powerSafe = record
        return true
    }

    mutating func isSafe(_ record: DisplayRecord) {
        safe = record
        mayBeMarked = false
    }
}
