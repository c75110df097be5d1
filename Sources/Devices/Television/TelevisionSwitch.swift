// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// How a television is switched off (`--cec-off`).
package enum TelevisionOff: String, CaseIterable, Sendable {
    /// Standby. The television goes to standby, or to whatever it shows then.
    case standby
    /// Inactive Source: the television is left to itself.
    case inactiveSource = "inactive-source"
}

/// One switch of a television: what to send, when to ask for its status, and when to give up. Has no bus and no clock.
///
/// - A television may ignore the first command. It is sent up to three times, three seconds apart, until the status
///   agrees.
/// - The status lags by seconds. It is asked for once a second, and a transition counts as its end.
/// - One that never answers gets all three commands, and counts as switched.
struct TelevisionSwitch: Sendable {
    static let limit = 3
    static let spacing: Duration = .seconds(3)
    static let askInterval: Duration = .seconds(1)

    enum Step: Hashable, Sendable {
        /// Send the command. `withKey`: the key "Power On" of a remote control as well, since the television may
        /// ignore Image View On.
        case send(withKey: Bool)
        case ask
        case wait(Duration)
        /// `isConfirmed`: whether the television's status agrees; otherwise it cannot be known.
        case done(isConfirmed: Bool)
        case failed(SwitchFailure)
    }

    /// The result of a command or a question on the bus.
    enum Reply: Hashable, Sendable {
        case status(CECPowerStatus)
        /// It was sent, and there is no answer, or none is expected.
        case none
        case failed(SwitchFailure)
    }

    private let isOn: Bool
    /// Whether a status can show the result.
    private let isReadable: Bool
    private var limit = Self.limit
    private var tries = 0
    private var lastTry: Instant?
    /// When to ask for the status; `nil` if no answer is expected before the next try.
    private var nextAsk: Instant?
    /// The result of the last command or question.
    private var reply = Reply.none

    /// - Parameter off: How it is switched off. A television that is left to itself may stay on, so that no status
    ///   shows the result.
    init(to isOn: Bool, off: TelevisionOff) {
        self.isOn = isOn
        isReadable = isOn || off == .standby
    }

    /// Tries once more at most, for a stop.
    mutating func limitTries() { limit = min(limit, max(tries, 2)) }

    func next(at now: Instant) -> Step {
        if case .status(let status) = reply, status.isOn == isOn { return .done(isConfirmed: true) }
        guard let lastTry else { return .send(withKey: false) }
        if reply == .none, !isReadable { return .done(isConfirmed: false) }
        // Nothing more is sent or asked.
        if tries >= limit, nextAsk == nil { return reply == .none ? .done(isConfirmed: false) : .failed(failure) }
        let end = lastTry + Self.spacing
        if end <= now { return tries < limit ? .send(withKey: true) : .failed(failure) }
        if let nextAsk, nextAsk <= now { return .ask }
        return .wait(min(nextAsk ?? end, end) - now)
    }

    private var failure: SwitchFailure { if case .failed(let failure) = reply { failure } else { .ignored } }

    /// Reports that the command was sent, or why not.
    ///
    /// - Parameter isWake: Whether only the message for a television that seems to be unplugged was sent: it cannot be
    ///   asked, and gets the command when it is there.
    mutating func sent(_ failure: SwitchFailure? = nil, isWake: Bool = false, at now: Instant) {
        tries += 1
        lastTry = now
        reply = failure.map { .failed($0) } ?? .none
        nextAsk = failure == nil && isReadable && !isWake ? now + Self.askInterval : nil
    }

    /// Reports the answer to a question. A television that does not answer is not asked again before the next try.
    mutating func asked(_ new: Reply, at now: Instant) {
        reply = new
        if case .status = new { nextAsk = now + Self.askInterval } else { nextAsk = nil }
    }
}
