// SPDX-License-Identifier: Apache-2.0

/// Decides which record of a display has to be safe before the panel
/// is touched.
struct PersistencePolicy: Sendable {
    enum Urgency {
        /// Before the panel is touched and anybody gets an answer.
        case first
        /// The same, and from a power cut, too.
        case firstSafeFromPowerCut
        case soon
        case none
    }

    private var given: DisplayRecord?
    private var safe: DisplayRecord?
    /// Whether the file may have a mark that nobody could read.
    private var mayBeMarked: Bool
    private let isVolatile: Bool
    private let keepsStepWithoutPower: Bool
    /// The newest mark that is safe from a power cut.
    private var powerSafe: DisplayRecord?

    /// - Parameters:
    ///   - earlier: What an earlier run left.
    ///   - first: The record that the display begins with, if what an earlier run left could not be read. The file then
    ///     keeps that until something changes, and the first change replaces it.
    ///   - isVolatile: Whether the panel loses its step with the daemon.
    ///   - keepsStepWithoutPower: Whether it even keeps its step when its power ends.
    init(
        goingOnFrom earlier: RecoveredRecord?,
        orUnread first: DisplayRecord? = nil,
        isVolatile: Bool,
        keepsStepWithoutPower: Bool = false
    ) {
        // Written again at the first occasion: then the file says that what the panel shows is of this boot.
        given = earlier?.isOfThisBoot == true ? earlier?.record : first
        safe = earlier?.record
        mayBeMarked = first != nil
        self.isVolatile = isVolatile
        self.keepsStepWithoutPower = keepsStepWithoutPower
    }

    /// How soon `record` has to be safe. Unless that is `.none`, it is given to the journal now.
    ///
    /// Without a lease a panel that keeps its step is simply asked for it at the next start. Who switches automatic
    /// brightness waits until that is safe; what it learns need not be at once. But as long as a mark is in
    /// the file, what is on the panel may be taken for a boost's doing, and everything has to be written down.
    ///
    /// - Parameter isUnderWay: Whether the panel is in a transition.
    mutating func give(_ record: DisplayRecord, isUnderWay: Bool = false) -> Urgency {
        if record == given { return .none }
        let isAtStake =
            mayBeMarked || [record, given, safe].contains { $0?.ceiling != nil || $0?.leases.isEmpty == false }
        let old = given?.automatic ?? .none
        guard isAtStake || isVolatile || record.automatic != old else { return .none }
        // In a transition without a lease, with these steps marked already: where it goes may wait, or each move of a slider
        // would be a commit.
        let isFree = [record, given, safe].allSatisfy { $0?.leases.isEmpty == true }
        let mayWait =
            isUnderWay && isFree && record.ceiling != nil && record.ceiling == safe?.ceiling
            && record.floor == safe?.floor
        given = record
        guard isAtStake && !mayWait || record.automatic.isEnabled != old.isEnabled else { return .soon }
        return isDueForPowerCut(record) ? .firstSafeFromPowerCut : .first
    }

    /// Whether a panel that is raised now could stay so for ever after a power cut.
    private mutating func isDueForPowerCut(_ record: DisplayRecord) -> Bool {
        guard keepsStepWithoutPower, let floor = record.floor, let ceiling = record.ceiling else {
            powerSafe = nil
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
