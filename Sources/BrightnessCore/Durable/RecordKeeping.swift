// SPDX-License-Identifier: Apache-2.0

/// What the journal has been given of a display, and what of that is safe: which record has to be safe before the panel
/// is touched.
struct RecordKeeping: Sendable {
    enum Urgency {
        /// Before the panel is touched and anybody gets an answer.
        case first
        case soon
        case none
    }

    private var given: DisplayRecord?
    private var safe: DisplayRecord?
    /// Whether the file may have a mark that nobody could read.
    private var mayBeMarked: Bool
    private let isVolatile: Bool

    /// - Parameters:
    ///   - earlier: What an earlier run left.
    ///   - first: The record that the display begins with, if what an earlier run left could not be read. The file then
    ///     keeps that until something changes, and the first change replaces it.
    ///   - isVolatile: Whether the panel loses its step with the daemon.
    init(goingOnFrom earlier: EarlierRecord?, orUnread first: DisplayRecord? = nil, isVolatile: Bool) {
        // Written again at the first occasion: then the file says that what the panel shows is of this boot.
        given = earlier?.isOfThisBoot == true ? earlier?.record : first
        safe = earlier?.record
        mayBeMarked = first != nil
        self.isVolatile = isVolatile
    }

    /// How soon `record` has to be safe. Unless that is `.none`, it is given to the journal now.
    ///
    /// Without a lease a panel that keeps its step is simply asked for it at the next start. Who switches automatic
    /// brightness waits until that is safe; what it learns need not be at once. But as long as a mark is in
    /// the file, what is on the panel may be taken for a boost's doing, and everything has to be written down.
    mutating func give(_ record: DisplayRecord) -> Urgency {
        if record == given { return .none }
        let isAtStake =
            mayBeMarked || [record, given, safe].contains { $0?.ceiling != nil || $0?.leases.isEmpty == false }
        let old = given?.automatic ?? .none
        guard isAtStake || isVolatile || record.automatic != old else { return .none }
        given = record
        return isAtStake || record.automatic.isEnabled != old.isEnabled ? .first : .soon
    }

    mutating func isSafe(_ record: DisplayRecord) {
        safe = record
        mayBeMarked = false
    }
}
