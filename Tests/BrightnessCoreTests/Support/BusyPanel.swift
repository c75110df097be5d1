// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization
import TestSupport

/// A scripted panel that runs a callback at its writes, like a concurrent thread.
struct BusyPanel: Panel {
    let panel: ScriptedPanel
    let meanwhile: @Sendable (_ step: Int) -> Void
    /// Runs after a write, before the worker reads it back.
    let behind: @Sendable (_ step: Int) -> Void

    init(
        panel: ScriptedPanel,
        meanwhile: @escaping @Sendable (_ step: Int) -> Void = { _ in },
        behind: @escaping @Sendable (_ step: Int) -> Void = { _ in }
    ) {
        (self.panel, self.meanwhile, self.behind) = (panel, meanwhile, behind)
    }

    var id: DisplayID { panel.id }
    var name: String { panel.name }
    var kind: DisplayKind { panel.kind }
    var range: BrightnessRange { panel.range }
    var isCheapToRead: Bool { panel.isCheapToRead }
    var rounds: Bool { panel.rounds }
    var isVolatile: Bool { panel.isVolatile }
    var changes: AsyncStream<Cause.Kind> { panel.changes }

    func read() throws(DeviceError) -> Int { try panel.read() }

    func write(_ step: Int) throws(DeviceError) {
        meanwhile(step)
        try panel.write(step)
        behind(step)
    }
}
