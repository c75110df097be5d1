// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Dispatch
import Glibc
import Synchronization

/// A panel that a client drives. A write asks the client and waits for its answer.
///
/// - A client that does not answer in time counts as gone until it answers. It gets no other call before that.
/// - The state that it confirmed or reported last counts, without asking it.
/// - It is restored from its record: a page that is loaded again shows what it likes until the daemon's target comes.
/// - A report counts although the client has left since, or does not answer: a person may switch a page off and close
///   it.
final class ProvidedPanel: Panel {
    /// How long a client may take for a call.
    static let timeout: Duration = .seconds(10)

    let id: DisplayID
    let kind = DisplayKind.provided
    let isCheapToRead = true
    let isVolatile = true
    let isDimmable: Bool
    let isSwitchable: Bool
    /// The principal that may provide it.
    let principal: Principal?
    let changes: AsyncStream<Cause.Kind>

    fileprivate struct State {
        var name: String
        var range: BrightnessRange
        var provider: (any DisplayProvider)?
        var step: Int
        var isOn: Bool
        /// The number of the newest call. Responses to others are from providers that are gone.
        var callNumber = 0
        /// Whether the client executed the newest call; `nil` before its response.
        var isDone: Bool?
        /// Ends the wait for the newest call; `nil` while nobody waits.
        var callEnd: DispatchSemaphore?
        /// Whether the newest call timed out. Its late response ends that.
        var isSilent = false
        /// Whether somebody has set the step or the power at the client since the newest call: its response does not
        /// undo that.
        var isStepChanged = false
        var isPowerChanged = false
        /// Whether somebody has set something at the client that was not read since.
        var isUnread = false
    }

    private let hints: AsyncStream<Cause.Kind>.Continuation
    private let state: Mutex<State>
    private let timeout: Duration

    /// - Parameter timeout: How long a client may take for a call.
    init(_ display: ProvidedDisplay, of principal: Principal, timeout: Duration = timeout) {
        (id, isDimmable, isSwitchable) = (display.id, display.maximum != nil, display.isSwitchable)
        (self.principal, self.timeout) = (principal, timeout)
        state = Mutex(State(display))
        (changes, hints) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: The client

    var provider: (any DisplayProvider)? { state.withLock(\.provider) }

    var isUnread: Bool { state.withLock(\.isUnread) }

    var name: String { state.withLock(\.name) }
    var range: BrightnessRange { state.withLock(\.range) }

    /// Whether a description is of this panel, perhaps with another name or another maximum.
    func isSame(as display: ProvidedDisplay) -> Bool {
        (isDimmable, isSwitchable) == (display.maximum != nil, display.isSwitchable)
    }

    /// - Returns: The provider until now.
    @discardableResult
    func attach(_ provider: any DisplayProvider, showing display: ProvidedDisplay) -> (any DisplayProvider)? {
        state.withLock { state in
            defer {
                state.callEnd?.signal()
                let number = state.callNumber + 1
                state = State(display)
                (state.provider, state.callNumber) = (provider, number)
            }
            return state.provider
        }
    }

    /// Detaches the provider: the panel counts as gone until one is attached again.
    ///
    /// - Parameters:
    ///   - ended: The only provider to detach, since another one may have taken over; `nil` for any.
    ///   - display: Its name and maximum from now on.
    /// - Returns: The provider until now; `nil` if none was detached.
    @discardableResult
    func detach(
        _ ended: (any DisplayProvider)? = nil,
        renamed display: ProvidedDisplay? = nil
    ) -> (any DisplayProvider)? {
        state.withLock { state in
            if let ended, state.provider !== ended { return nil }
            defer { state.provider = nil }
            if let display {
                // The display may still have to read what somebody has set.
                let scale = BrightnessRange.scale(from: state.range.maximum, to: display.range.maximum)
                (state.name, state.range, state.step) = (display.name, display.range, scale(state.step))
            }
            state.callEnd?.signal()
            return state.provider
        }
    }

    /// Reports what somebody set at the client; `nil` for what stayed.
    func changed(brightness: Brightness?, isOn: Bool?) {
        state.withLock { state in
            if let brightness { (state.step, state.isStepChanged) = (state.range.step(for: brightness), true) }
            if let isOn { (state.isOn, state.isPowerChanged) = (isOn, true) }
            state.isUnread = true
        }
        hints.yield(.external)
    }

    /// The state that its client reported, without a display's rules.
    func state(at now: Moment, _ revision: Revision) -> DisplayState {
        let state = state.withLock { $0 }
        return DisplayState(
            id: id,
            name: state.name,
            kind: kind,
            range: state.range,
            brightness: state.range.brightness(of: state.step),
            baseline: state.range.brightness(of: state.step),
            step: state.step,
            isDimmable: isDimmable,
            provider: principal,
            power: DisplayState.Power(isOn: state.isOn, baseline: true, isSwitchable: isSwitchable),
            automatic: .off,
            cause: Cause(.connected, at: now.wall),
            revision: revision
        )
    }

    /// Makes the display read the panel.
    func hint(_ kind: Cause.Kind) { hints.yield(kind) }

    func end() { hints.finish() }

    // MARK: Panel

    func read() throws(DeviceError) -> Int {
        let state = state.withLock { state in
            defer { state.isUnread = false }
            return state
        }
        guard state.isReadable else { throw .abandoned(id, step: state.step) }
        if !state.isServed { hints.yield(.lost) }
        return state.step
    }

    func readPower() -> Bool? { state.withLock { $0.isReadable ? $0.isOn : nil } }

    func write(_ step: Int) throws(DeviceError) { try call { (step, $0.isOn) } }

    func writePower(_ isOn: Bool) throws(DeviceError) { try call { ($0.step, isOn) } }

    /// Asks the client to show a step and power, and waits for its answer, or until another provider takes over.
    private func call(_ wanted: (State) -> (step: Int, isOn: Bool)) throws(DeviceError) {
        let end = DispatchSemaphore(value: 0)
        let call = state.withLock { state -> (provider: any DisplayProvider, number: Int, ProvidedTarget)? in
            guard let provider = state.provider, !state.isSilent else { return nil }
            state.callNumber += 1
            (state.isDone, state.callEnd) = (nil, end)
            (state.isStepChanged, state.isPowerChanged) = (false, false)
            let (wanted, isOn) = wanted(state)
            // The client may have changed its maximum since the command was planned.
            let step = min(wanted, state.range.maximum)
            let target = ProvidedTarget(brightness: state.range.brightness(of: step), step: step, isOn: isOn)
            return (provider, state.callNumber, target)
        }
        guard let (provider, number, target) = call else { throw .abandoned(id) }
        provider.apply(target, to: id) { [weak self] isDone in
            self?.answered(call: number, with: target, isDone: isDone)
        }
        _ = end.wait(timeout: .now() + .nanoseconds(Int(timeout / .nanoseconds(1))))
        let failure = state.withLock { state -> DeviceError? in
            guard state.callNumber == number else { return .abandoned(id, step: target.step) }
            state.callEnd = nil
            if state.isDone == true { return nil }
            if state.provider == nil || provider.isGone { return .abandoned(id, step: target.step) }
            state.isSilent = state.isDone == nil
            return .io(path: id.text, errno: state.isSilent ? ETIMEDOUT : EIO)
        }
        if let failure { throw failure }
    }

    private func answered(call number: Int, with target: ProvidedTarget, isDone: Bool) {
        let hint = state.withLock { state -> Cause.Kind? in
            guard state.callNumber == number else { return nil }
            let isLate = state.isSilent
            (state.isDone, state.isSilent) = (isDone, false)
            state.callEnd?.signal()
            if isDone, !state.isStepChanged { state.step = target.step }
            if isDone, !state.isPowerChanged { state.isOn = target.isOn }
            guard isLate else { return nil }
            return state.isUnread ? .external : .connected
        }
        if let hint { hints.yield(hint) }
    }
}

extension ProvidedPanel.State {
    /// Whether its client answers.
    fileprivate var isServed: Bool { provider != nil && !isSilent }

    fileprivate var isReadable: Bool { isServed || isUnread }

    fileprivate init(_ display: ProvidedDisplay) {
        (name, range, isOn) = (display.name, display.range, display.isOn)
        step = range.step(for: display.brightness)
    }
}

extension ProvidedDisplay {
    fileprivate var range: BrightnessRange {
        guard let maximum else { return .fixed }
        guard let range = BrightnessRange(maximum: maximum) else { preconditionFailure("the maximum \(maximum)") }
        return range
    }
}
