// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Glibc
import Synchronization

/// A panel in memory, for use without hardware. Any thread; blocks only while it is set to be slow.
package final class SimulatedPanel: Panel {
    /// The id of a simulated display without a name.
    package static let defaultID = DisplayID("simulated")!
    /// In place of a device's path, for the log.
    private static let path = "simulated room"
    static let defaultMaximum = 1_000

    package let id: DisplayID
    package let name: String
    package let kind = DisplayKind.simulated
    package let range: BrightnessRange
    package let isCheapToRead = true
    package let isVolatile = true
    package let isSwitchable = true
    package let changes: AsyncStream<Cause.Kind>

    private struct State {
        var step: Int
        var isOn = true
        var failures = PanelFailures()
        var observer: (@Sendable () -> Void)?
    }

    private let hints: AsyncStream<Cause.Kind>.Continuation
    private let state: Mutex<State>

    /// A panel with the steps `0...maximum`, of which those below `minimum` are never written. It starts at `step`, by
    /// default at 40 % or the minimum.
    package init(
        id: DisplayID = defaultID,
        name: String = "Simulated display",
        maximum: Int = defaultMaximum,
        minimum: Int = 1,
        step: Int? = nil
    ) {
        guard let range = BrightnessRange(minimum: minimum, maximum: maximum) else {
            preconditionFailure("a panel with the steps \(minimum) to \(maximum)")
        }
        self.id = id
        self.name = name
        self.range = range
        state = Mutex(State(step: min(max(step ?? range.step(for: Brightness(clamping: 0.4)), 0), maximum)))
        (changes, hints) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func read() throws(DeviceError) -> Int {
        let state = state.withLock { $0 }
        if state.failures.isUnplugged { throw .absent(path: Self.path) }
        return state.step
    }

    package func write(_ step: Int) throws(DeviceError) {
        // The kernel's error for a step outside the range.
        guard (0...range.maximum).contains(step) else { throw .io(path: Self.path, errno: EINVAL) }
        let delay = failures.delay
        if delay > .zero { usleep(UInt32(delay / .microseconds(1))) }
        try change { $0.step = step }
    }

    package func readPower() -> Bool? { state.withLock(\.isOn) }

    package func writePower(_ isOn: Bool) throws(DeviceError) { try change { $0.isOn = isOn } }

    /// Changes what the panel shows, unless it is unplugged or rejects it.
    private func change(_ change: (inout State) -> Void) throws(DeviceError) {
        let (failures, observer) = state.withLock { state in
            if !state.failures.isUnplugged, !state.failures.refuses { change(&state) }
            return (state.failures, state.observer)
        }
        if failures.isUnplugged { throw .absent(path: Self.path) }
        if failures.refuses { throw .permission(path: Self.path) }
        observer?()
    }

    /// Calls `observer` after every change of what the panel shows or how it fails. It must return at once.
    func observe(_ observer: @escaping @Sendable () -> Void) { state.withLock { $0.observer = observer } }

    /// Sets the step like a person at the panel, or like another `originator`, within its range.
    package func set(to step: Int, by originator: Cause.Kind = .simulator) {
        change(by: originator) { $0.step = min(max(step, 0), range.maximum) }
    }

    /// The brightness, also while it is unplugged.
    var slider: Brightness { range.brightness(of: state.withLock(\.step)) }

    var failures: PanelFailures { state.withLock(\.failures) }

    /// Sets how it fails from now on.
    func fail(_ failures: PanelFailures) { change(by: .connected) { $0.failures = failures } }

    private func change(by originator: Cause.Kind, _ change: (inout State) -> Void) {
        let observer = state.withLock { state in
            change(&state)
            return state.observer
        }
        hints.yield(originator)
        observer?()
    }

    deinit { hints.finish() }
}

/// The queue of a simulated panel: immediate, or on its own thread while the panel is slow.
package struct SimulatedQueue: JobQueue {
    private let panel: SimulatedPanel
    private let slow: SerialQueue

    init(of panel: SimulatedPanel) {
        self.panel = panel
        slow = SerialQueue("panel.\(panel.id)")
    }

    /// A display enqueues one job at a time, so the order is kept either way.
    package func enqueue(_ job: @escaping @Sendable () -> Void) {
        if panel.failures.delay > .zero { slow.enqueue(job) } else { job() }
    }
}
