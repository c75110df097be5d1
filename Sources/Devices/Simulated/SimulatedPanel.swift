// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Glibc
import Synchronization

/// A panel that exists in memory only, so that everything can be tried without hardware. Any thread; never blocks,
/// unless it is told to be slow.
package final class SimulatedPanel: Panel {
    /// What it is called when there is only one.
    package static let usualID = DisplayID("simulated")!
    package static let usualMaximum = 1_000

    package let id: DisplayID
    package let name: String
    package let kind = DisplayKind.simulated
    package let range: BrightnessRange
    package let isCheapToRead = true
    package let isVolatile = true
    package let changes: AsyncStream<Cause.Kind>

    private struct State {
        var step: Int
        var failures = PanelFailures()
        var observer: (@Sendable () -> Void)?
    }

    private let hints: AsyncStream<Cause.Kind>.Continuation
    private let state: Mutex<State>

    /// Has the steps `0...maximum`, of which those below `minimum` are never asked for: the guard. It is set to `step`
    /// at first, to 40 % unless said, and then not below the guard.
    package init(
        id: DisplayID = usualID,
        name: String = "Simulated display",
        maximum: Int = usualMaximum,
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
        if state.failures.isUnplugged { throw .absent(path: id.text) }
        return state.step
    }

    package func write(_ step: Int) throws(DeviceError) {
        // As the kernel answers a step that a panel does not have.
        guard (0...range.maximum).contains(step) else { throw .io(path: id.text, errno: EINVAL) }
        let delay = failures.delay
        if delay > .zero { usleep(UInt32(delay / .microseconds(1))) }
        let (failures, observer) = state.withLock { state in
            if !state.failures.isUnplugged, !state.failures.refuses { state.step = step }
            return (state.failures, state.observer)
        }
        if failures.isUnplugged { throw .absent(path: id.text) }
        if failures.refuses { throw .permission(path: id.text) }
        observer?()
    }

    /// Calls `observer` after every change of what the panel shows or how it fails. It must return at once.
    func observe(_ observer: @escaping @Sendable () -> Void) { state.withLock { $0.observer = observer } }

    /// A person's hand at the panel, which goes no further than the panel does.
    package func turn(to step: Int) {
        let observer = state.withLock { state in
            state.step = min(max(step, 0), range.maximum)
            return state.observer
        }
        hints.yield(.simulator)
        observer?()
    }

    /// What it shows, or would if it were plugged in.
    package var slider: Brightness { range.brightness(of: state.withLock(\.step)) }

    package var failures: PanelFailures { state.withLock(\.failures) }

    /// From now on it fails like this, or does no more.
    package func fail(_ failures: PanelFailures) {
        let observer = state.withLock { state in
            state.failures = failures
            return state.observer
        }
        hints.yield(.connected)
        observer?()
    }

    deinit { hints.finish() }
}

/// The queue of a simulated panel: none, unless the panel is slow. Then it has a thread of its own, as a real one has.
package struct SimulatedQueue: JobQueue {
    private let panel: SimulatedPanel
    private let slow: SerialQueue

    package init(of panel: SimulatedPanel) {
        self.panel = panel
        slow = SerialQueue("panel.\(panel.id)")
    }

    /// A display enqueues one job after another, never two: so their order stays, whichever way they go.
    package func enqueue(_ job: @escaping @Sendable () -> Void) {
        if panel.failures.delay > .zero { slow.enqueue(job) } else { job() }
    }
}
