// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// Finds the backlights that come while the daemon runs, and of which `auto` takes those that are as good as what it has.
///
/// One that was here before is not found again: its display looks for itself whether it is back.
package struct DisplayFinder: Sendable {
    /// What a lone backlight is called.
    static let nameOfLone = "Built-in display"

    let root: String
    let minimum: Brightness
    let watch: PanelWatch
    /// Open already, left, or not to be taken.
    var known: Set<DisplayID>
    /// Of what it took; `nil` while it took none.
    var best: BacklightType?
    /// The simulated display that it took for want of any.
    var standIn: DisplayID?

    /// Those that came since the last look; reads each once, which may block.
    package mutating func look() -> OpenedDisplays {
        var opened = OpenedDisplays()
        // One that cannot be read yet is looked at again; what cannot be listed now may be later.
        let found = (try? BacklightDiscovery(root: root, excluding: known))?.backlights ?? []
        let isLone = standIn != nil && found.count == 1
        for backlight in found {
            guard backlight.type == best ?? backlight.type else {
                known.insert(backlight.id)
                opened.notes.append(.passedOver(backlight, for: best ?? backlight.type))
                continue
            }
            guard
                let panel = try? SysfsBacklight(
                    backlight.id,
                    root: root,
                    name: isLone ? DisplayFinder.nameOfLone : nil,
                    minimum: minimum,
                    watch: watch
                )
            else {
                continue
            }
            known.insert(backlight.id)
            best = backlight.type
            opened.seats.append(.coming(panel))
            opened.replaced = opened.replaced ?? standIn
            standIn = nil
        }
        return opened
    }

    /// What comes, as it comes. Ends with the task that reads it.
    package var arrivals: AsyncStream<OpenedDisplays> {
        let (arrivals, tell) = AsyncStream.makeStream(of: OpenedDisplays.self)
        let isOnSysfs = SysfsAttribute(path: root).isOnSysfs
        let looking = Task {
            var finder = self
            for await _ in watch.arrivals(in: ["backlight"], isOnSysfs: isOnSysfs) {
                let opened = finder.look()
                if !opened.seats.isEmpty || !opened.notes.isEmpty { tell.yield(opened) }
            }
        }
        tell.onTermination = { _ in looking.cancel() }
        return arrivals
    }
}

extension DisplayService.Seat {
    /// A backlight that `auto` took: it is told of while it is there.
    static func coming(_ panel: SysfsBacklight) -> Self {
        Self(panel, on: SerialQueue("panel.\(panel.id)"), comesAndGoes: true)
    }
}
