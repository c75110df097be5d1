// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Glibc
import Synchronization

/// A panel that exists in memory only, so that everything can be tried without hardware. Any thread; never blocks.
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

    private let hints: AsyncStream<Cause.Kind>.Continuation
    private let current: Mutex<Int>

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
        current = Mutex(min(max(step ?? range.step(for: Brightness(clamping: 0.4)), 0), maximum))
        (changes, hints) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func read() -> Int { current.withLock { $0 } }

    package func write(_ step: Int) throws(DeviceError) {
        // As the kernel answers a step that a panel does not have.
        guard (0...range.maximum).contains(step) else { throw .io(path: id.text, errno: EINVAL) }
        current.withLock { $0 = step }
    }

    /// A person's hand at the panel, which goes no further than the panel does.
    package func turn(to step: Int) {
        current.withLock { $0 = min(max(step, 0), range.maximum) }
        hints.yield(.external)
    }

    deinit { hints.finish() }
}
