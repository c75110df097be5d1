// SPDX-License-Identifier: Apache-2.0

/// When a connection with a steady flow of messages reads next: a short pause after each turn lets the next messages
/// arrive together, so that they cost one wake of this thread and of its listeners instead of one each.
///
/// - The first message after a rest is never delayed, and no other by more than `interval`.
/// - Retained messages and floods, which fill the broker's window, are read without pauses.
///
/// Rules only; time is an argument.
struct ReadPacing {
    /// The duration of a pause in milliseconds, far less than a person or a page would notice.
    static let interval: Int32 = 2
    /// Messages of one turn that are a flood. Brokers have 20 messages in flight by default.
    static let flood = 12
    /// The time without pauses after a flood.
    static let floodTime: Duration = .milliseconds(20)

    /// The end of the last turn with messages.
    private var last: ContinuousClock.Instant?
    /// Whether a pause preceded this turn.
    private var isPaused = false
    private var floodEnd: ContinuousClock.Instant?

    /// Returns the pause before the next read in milliseconds; `nil` for none.
    ///
    /// - Parameters:
    ///   - count: The messages of this turn, at least one.
    ///   - areLive: Whether none of them is a retained one.
    mutating func pause(afterReading count: Int, areLive: Bool, at now: ContinuousClock.Instant) -> Int32? {
        let (previous, wasPaused) = (last, isPaused)
        (last, isPaused) = (now, false)
        if count >= Self.flood || !areLive { floodEnd = now + Self.floodTime }
        if let floodEnd, now < floodEnd { return nil }
        // A pause that let only one message arrive saved nothing.
        let isFrequent = previous.map { now - $0 <= .milliseconds(Self.interval) } ?? false
        let pays = wasPaused ? count > 1 : isFrequent
        guard pays else { return nil }
        isPaused = true
        return Self.interval
    }
}
