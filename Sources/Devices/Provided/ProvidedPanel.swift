// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Dispatch
import Glibc
import Synchronization

/// A panel that a client drives. A write asks the client and waits for its answer.
///
/// - A client that does not answer in time counts as gone until it answers. It gets no other call before that.
/// - What it shows is known without asking: what it confirmed or reported last.
/// - It is restored from its record: a page that is loaded again shows what it likes until the daemon's target comes.
final class ProvidedPanel: Panel {
    /// How long a client may take for a call.
    static let timeout: Duration = .seconds(10)

    let id: DisplayID
    let name: String
    let kind = DisplayKind.provided
    let range: BrightnessRange
    let isCheapToRead = true
    let isVolatile = true
    let isDimmable: Bool
    let isSwitchable: Bool
    let changes: AsyncStream<Cause.Kind>

    private struct State {
        var provider: (any DisplayProvider)?
        var step: Int
        var isOn: Bool
        /// The number of the newest call. Answers to others are from providers that are gone.
        var call = 0
        /// Whether the newest call was carried out; `nil` before its answer.
        var isDone: Bool?
        /// Whether the newest call was not answered in time.
        var isSilent = false
    }

    private let hints: AsyncStream<Cause.Kind>.Continuation
    private let state: Mutex<State>
    private let timeout: Duration

    /// - Parameter timeout: How long a client may take for a call.
    init(_ display: ProvidedDisplay, timeout: Duration = timeout) {
        let range = display.range
        (id, name, self.range) = (display.id, display.name, range)
        (isDimmable, isSwitchable) = (display.steps != nil, display.isSwitchable)
        self.timeout = timeout
        state = Mutex(State(step: range.step(for: display.brightness), isOn: display.isOn))
        (changes, hints) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: The client

    var provider: (any DisplayProvider)? { state.withLock(\.provider) }

    /// Whether a description is of this panel.
    func isSame(as display: ProvidedDisplay) -> Bool {
        (name, range, isSwitchable) == (display.name, display.range, display.isSwitchable)
    }

    /// - Returns: The provider until now.
    @discardableResult
    func attach(_ provider: any DisplayProvider, showing display: ProvidedDisplay) -> (any DisplayProvider)? {
        state.withLock { state in
            defer {
                state = State(
                    provider: provider,
                    step: range.step(for: display.brightness),
                    isOn: display.isOn,
                    call: state.call + 1
                )
            }
            return state.provider
        }
    }

    /// Lets go of the provider: the panel is not there until it is attached again.
    ///
    /// - Returns: The provider until now.
    @discardableResult
    func detach() -> (any DisplayProvider)? {
        state.withLock { state in
            defer { state.provider = nil }
            return state.provider
        }
    }

    /// Reports what somebody set at the client; `nil` for what stayed.
    func changed(brightness: Brightness?, isOn: Bool?) {
        state.withLock { state in
            if let brightness { state.step = range.step(for: brightness) }
            if let isOn { state.isOn = isOn }
        }
        hints.yield(.external)
    }

    /// Makes the display look at the panel.
    func hint(_ kind: Cause.Kind) { hints.yield(kind) }

    /// Ends `changes`.
    func end() { hints.finish() }

    // MARK: Panel

    func read() throws(DeviceError) -> Int {
        let state = state.withLock { $0 }
        guard state.provider != nil, !state.isSilent else { throw .abandoned(id) }
        return state.step
    }

    func readPower() -> Bool? {
        state.withLock { $0.provider == nil || $0.isSilent ? nil : $0.isOn }
    }

    func write(_ step: Int) throws(DeviceError) { try call { (step, $0.isOn) } }

    func writePower(_ isOn: Bool) throws(DeviceError) { try call { ($0.step, isOn) } }

    /// Asks the client to show a step and power, and waits for its answer.
    private func call(_ wanted: (State) -> (step: Int, isOn: Bool)) throws(DeviceError) {
        let call = state.withLock { state -> (provider: any DisplayProvider, number: Int, step: Int, isOn: Bool)? in
            guard let provider = state.provider, !state.isSilent else { return nil }
            state.call += 1
            state.isDone = nil
            let (step, isOn) = wanted(state)
            return (provider, state.call, step, isOn)
        }
        guard let (provider, number, step, isOn) = call else { throw .abandoned(id) }
        let target = ProvidedTarget(brightness: range.brightness(of: step), step: step, isOn: isOn)
        let answered = DispatchSemaphore(value: 0)
        provider.apply(target, to: id) { [weak self] isDone in
            self?.answered(call: number, with: target, isDone: isDone)
            answered.signal()
        }
        _ = answered.wait(timeout: .now() + .nanoseconds(Int(timeout / .nanoseconds(1))))
        let isDone = state.withLock { state in
            if state.call == number, state.isDone == nil { state.isSilent = true }
            return state.call == number ? state.isDone : false
        }
        if isDone != true { throw .io(path: id.text, errno: isDone == nil ? ETIMEDOUT : EIO) }
    }

    private func answered(call: Int, with target: ProvidedTarget, isDone: Bool) {
        let isBack = state.withLock { state in
            guard state.call == call else { return false }
            defer { state.isSilent = false }
            state.isDone = isDone
            if isDone { (state.step, state.isOn) = (target.step, target.isOn) }
            return state.isSilent
        }
        if isBack { hints.yield(.connected) }
    }
}

extension ProvidedDisplay {
    fileprivate var range: BrightnessRange {
        guard let steps else { return .fixed }
        guard let range = BrightnessRange(maximum: steps) else { preconditionFailure("a display with \(steps) steps") }
        return range
    }
}
