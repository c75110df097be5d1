// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The knowledge about a television's power, and when to ask for it next. Has no bus and no clock.
///
/// - Its status counts, except for seconds after a switch: it lags.
/// - Its Standby counts at once: a person has pressed a button.
/// - A television that never answers is neither known to be on nor off.
struct TelevisionPower: Sendable {
    /// How long a status that contradicts the last switch or Standby is not believed.
    static let lag: Duration = .seconds(5)
    /// The time between two questions while a client watches.
    static let watchedInterval: Duration = .seconds(10)
    /// The time between two questions otherwise.
    static let interval: Duration = .seconds(60)
    /// After a message that may be about power: until the television has made up its mind.
    static let settling: Duration = .seconds(1)
    /// The minimum time between two questions, whatever is received.
    static let shortestInterval: Duration = .seconds(2)
    /// How soon after a switch or Standby a television drops its hot-plug pin, if it does so in standby. One that is
    /// unplugged later has no power, or no cable.
    static let pinLimit: Duration = .seconds(30)
    /// The number of questions without an answer after which its status is not known any more.
    static let limit = 3

    /// Whether it is on; `nil` if that is not known.
    private(set) var isOn: Bool?
    /// When to ask for the status; `nil` during a switch, which asks by itself.
    private(set) var nextQuestion: Instant?
    private(set) var isWatched = false
    /// Whether it is unplugged, or is back and was not asked since: its first status then is not a person's change.
    private(set) var isReturning = false
    /// Whether it was in standby when it seemed to be unplugged: many televisions drop their hot-plug pin then.
    private(set) var isStandingBy = false
    /// The last switch or Standby, until a failure or an unplugging.
    private var lastSwitch: (isOn: Bool, at: Instant)?
    private var lastQuestion: Instant?
    private var unanswered = 0
    /// Whether the last command was Inactive Source: a status "on" does not show whether it still shows this machine.
    private var isLeftToItself = false

    private var isSwitching: Bool { nextQuestion == nil }

    init(at now: Instant) { nextQuestion = now }

    // MARK: Switches

    mutating func startSwitch() { nextQuestion = nil }

    /// Reports a switch that was done.
    ///
    /// - Parameters:
    ///   - isConfirmed: Whether its status agrees.
    ///   - isLeftToItself: Whether it got Inactive Source, after which it may stay on.
    ///   - isPlugged: Whether it is plugged in, or still has its hot-plug pin.
    mutating func switched(
        to isOn: Bool,
        isConfirmed: Bool,
        isLeftToItself: Bool = false,
        isPlugged: Bool = true,
        at now: Instant
    ) {
        self.isOn = isConfirmed ? isOn : nil
        self.isLeftToItself = isLeftToItself
        isStandingBy = !isPlugged && self.isOn == false
        isReturning = !isPlugged && !isStandingBy
        lastSwitch = (isOn, now)
        if isConfirmed { unanswered = 0 }
        nextQuestion = now + Self.lag
    }

    /// Reports a switch that failed: the status shows what it did.
    ///
    /// - Parameter isUnplugged: Whether no television is there.
    mutating func switchFailed(isUnplugged: Bool = false, at now: Instant) {
        lastSwitch = nil
        if isUnplugged { (isOn, isLeftToItself, isReturning, isStandingBy) = (nil, false, true, false) }
        nextQuestion = now + Self.settling
    }

    // MARK: Reports

    /// Starts or ends the time in which a client watches, who sees the current status at once.
    mutating func watch(_ isWatched: Bool, at now: Instant) {
        self.isWatched = isWatched
        if isWatched { askSoon(at: now) }
    }

    /// Reports that the television was unplugged or plugged in, or that messages were lost.
    ///
    /// - Parameter hasAdapter: Whether its adapter is there. Without one, nothing can switch it on.
    mutating func changed(isPlugged: Bool, hasAdapter: Bool = true, at now: Instant) {
        let wasJustSwitchedOff = lastSwitch.map { !$0.isOn && now < $0.at + Self.pinLimit } ?? false
        isStandingBy = hasAdapter && !isPlugged && isOn == false && (isStandingBy || wasJustSwitchedOff)
        if isStandingBy {
            isReturning = false
        } else if !isPlugged {
            (isOn, lastSwitch, isLeftToItself, isReturning) = (nil, nil, false, true)
        }
        if !isSwitching { nextQuestion = notTooSoon(now + Self.settling) }
    }

    /// Reports that the status is asked for now.
    mutating func ask(at now: Instant) {
        lastQuestion = now
        nextQuestion = now + pause
    }

    /// Reports a question without an answer.
    mutating func didNotAnswer(isPlugged: Bool = true) {
        if isStandingBy { return }
        if isPlugged { isReturning = false }
        unanswered = min(unanswered + 1, Self.limit)
        if unanswered == Self.limit { isOn = nil }
    }

    mutating func received(_ message: CECMessage, at now: Instant) {
        if let status = CECPowerStatus(of: message), message.initiator == CECAddresses.television {
            return answered(status, at: now)
        }
        switch message.opcode {
        case .standby where message.initiator == CECAddresses.television && message.isBroadcast:
            // Its status lags, too.
            (isOn, lastSwitch, isLeftToItself) = (false, (false, now), false)
            if !isSwitching { nextQuestion = now + Self.lag }
        case .standby, .activeSource, .setStreamPath, .imageViewOn, .textViewOn: askSoon(at: now)
        case _ where message.initiator == CECAddresses.television: askSoon(at: now)
        default: break
        }
    }

    mutating func answered(_ status: CECPowerStatus, at now: Instant) {
        (unanswered, isReturning) = (0, false)
        // A switch decides by itself.
        if isSwitching { return }
        if let lastSwitch, status.isOn != lastSwitch.isOn, now < lastSwitch.at + Self.lag {
            nextQuestion = notTooSoon(lastSwitch.at + Self.lag)
            return
        }
        if status.isTransition { nextQuestion = now + Self.shortestInterval }
        // Only a television that was seen in standby since shows by "on" that somebody has switched it on.
        if isLeftToItself, status.isOn, isOn == nil { return }
        isLeftToItself = false
        isOn = status.isOn
    }

    private var pause: Duration { isWatched ? Self.watchedInterval : Self.interval }

    /// The time, or a later one so that two questions are far enough apart.
    private func notTooSoon(_ time: Instant) -> Instant {
        max(time, lastQuestion.map { $0 + Self.shortestInterval } ?? time)
    }

    private mutating func askSoon(at now: Instant) {
        guard let next = nextQuestion else { return }
        nextQuestion = min(next, notTooSoon(now + Self.settling))
    }
}
