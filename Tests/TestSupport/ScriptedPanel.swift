// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Synchronization

/// A panel with scripted behaviour that records the calls. Any thread.
package final class ScriptedPanel: Panel {
    /// The failure of the next few reads or writes.
    private struct Failure {
        var error: DeviceError
        var times: Int
        /// Whether the step is stored nevertheless, as the kernel does when a driver fails.
        var takesStep = false
    }

    private struct State {
        var step: Int
        var reads = 0
        var writes: [Int] = []
        /// Its own menu limits it.
        var least = Int.min
        var most = Int.max
        var kept: Int?
        var readFailure: Failure?
        var writeFailure: Failure?
        var demandRefusal: DeviceError?
        var isOn = true
        var switches: [Bool] = []
        var powerFailure: Failure?
        var isSwitchable: Bool
    }

    package let id: DisplayID
    package let name: String
    package let kind: DisplayKind
    package let range: BrightnessRange
    package let isCheapToRead: Bool
    package let rounds: Bool
    package let isVolatile: Bool
    package let writesOnce: Bool
    package let keepsStepWithoutPower: Bool
    package let switchInterval: Duration
    /// Whether its power can be read.
    private let canReadPower: Bool
    package let isDimmable: Bool
    package let changes: AsyncStream<Cause.Kind>
    /// The panel's rounding of a written step.
    private let rounding: @Sendable (Int) -> Int

    private let hints: AsyncStream<Cause.Kind>.Continuation
    private let state: Mutex<State>

    package init(
        _ id: DisplayID,
        name: String = "Scripted display",
        kind: DisplayKind = .backlight,
        range: BrightnessRange,
        step: Int,
        isCheapToRead: Bool = true,
        isVolatile: Bool = false,
        writesOnce: Bool = false,
        keepsStepWithoutPower: Bool = false,
        isDimmable: Bool = true,
        isSwitchable: Bool = false,
        switchInterval: Duration = .zero,
        canReadPower: Bool? = nil,
        rounding: (@Sendable (Int) -> Int)? = nil
    ) {
        self.rounding = rounding ?? { $0 }
        rounds = rounding != nil
        self.id = id
        self.name = name
        self.kind = kind
        self.range = range
        self.isCheapToRead = isCheapToRead
        self.isVolatile = isVolatile
        self.writesOnce = writesOnce
        self.keepsStepWithoutPower = keepsStepWithoutPower
        self.isDimmable = isDimmable
        self.switchInterval = switchInterval
        self.canReadPower = canReadPower ?? isSwitchable
        state = Mutex(State(step: step, isSwitchable: isSwitchable))
        (changes, hints) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: For the core

    package func read() throws(DeviceError) -> Int {
        try state.withLock { state throws(DeviceError) in
            state.reads += 1
            if let failure = Self.take(&state.readFailure) { throw failure.error }
            return state.step
        }
    }

    package func write(_ step: Int) throws(DeviceError) {
        try state.withLock { state throws(DeviceError) in
            state.writes.append(step)
            let failure = Self.take(&state.writeFailure)
            if failure?.takesStep ?? true { state.step = max(min(rounding(step), state.most), state.least) }
            state.kept = state.step == rounding(step) ? nil : state.step
            if let failure { throw failure.error }
        }
    }

    package var substituteStep: Int? { isCheapToRead ? nil : state.withLock(\.kept) }

    package func readPower() -> Bool? { canReadPower ? state.withLock(\.isOn) : nil }

    package func writePower(_ isOn: Bool) throws(DeviceError) {
        try state.withLock { state throws(DeviceError) in
            state.switches.append(isOn)
            let failure = Self.take(&state.powerFailure)
            if failure?.takesStep ?? true { state.isOn = isOn }
            if let failure { throw failure.error }
        }
    }

    private static func take(_ failure: inout Failure?) -> Failure? {
        guard let now = failure else { return nil }
        failure = now.times > 1 ? Failure(error: now.error, times: now.times - 1, takesStep: now.takesStep) : nil
        return now
    }

    // MARK: For tests

    /// The current step. Setting it is a change by another program, and reports no change.
    package var step: Int {
        get { state.withLock { $0.step } }
        set { state.withLock { $0.step = newValue } }
    }

    /// Whether it is on. Setting it is a change by another program, and reports no change.
    package var isOn: Bool {
        get { state.withLock { $0.isOn } }
        set { state.withLock { $0.isOn = newValue } }
    }

    /// Whether the daemon may switch it: an option, or a permission, which may differ from run to run.
    package var isSwitchable: Bool {
        get { state.withLock { $0.isSwitchable } }
        set { state.withLock { $0.isSwitchable = newValue } }
    }

    /// The lowest step that the panel keeps, by its own menu.
    package var least: Int {
        get { state.withLock { $0.least } }
        set { state.withLock { $0.least = newValue } }
    }

    /// The highest step that the panel keeps, by its own menu.
    package var most: Int {
        get { state.withLock { $0.most } }
        set { state.withLock { $0.most = newValue } }
    }

    /// Every switch, failed ones included.
    package var switches: [Bool] { state.withLock { $0.switches } }

    /// The next switches fail. With `takingPower` the panel is switched nevertheless.
    package func failSwitches(_ error: DeviceError, times: Int = 1, takingPower: Bool = false) {
        state.withLock { $0.powerFailure = Failure(error: error, times: times, takesStep: takingPower) }
    }

    /// Every written step, failed ones included.
    package var writes: [Int] { state.withLock { $0.writes } }

    /// The number of reads, failed ones included.
    package var reads: Int { state.withLock { $0.reads } }

    /// The next reads fail; `Int.max` times is until `heal()`.
    package func failReads(_ error: DeviceError, times: Int = 1) {
        state.withLock { $0.readFailure = Failure(error: error, times: times) }
    }

    /// The next writes fail; `Int.max` times is until `heal()`. With `takingStep` the panel shows the step
    /// nevertheless, as the kernel does when a driver fails.
    package func failWrites(_ error: DeviceError, times: Int = 1, takingStep: Bool = false) {
        state.withLock { $0.writeFailure = Failure(error: error, times: times, takesStep: takingStep) }
    }

    /// Reads and writes succeed again.
    package func heal() {
        state.withLock { state in (state.readFailure, state.writeFailure, state.powerFailure) = (nil, nil, nil) }
    }

    /// The reason to reject demands.
    package var demandRefusal: DeviceError? {
        get { state.withLock { $0.demandRefusal } }
        set { state.withLock { $0.demandRefusal = newValue } }
    }

    /// Reports a possible change by others.
    package func hint(_ kind: Cause.Kind = .external) { hints.yield(kind) }

    /// The panel is gone for good: `changes` finishes.
    package func end() { hints.finish() }

    deinit { hints.finish() }
}
