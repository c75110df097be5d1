// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The displays a daemon starts with, and what its log should say about them.
package struct OpenedDisplays: Sendable {
    package internal(set) var seats: [DisplayService.Seat] = []
    /// Those that are simulated.
    package internal(set) var simulated: [SimulatedPanel] = []
    package internal(set) var notes: [OpeningNote] = []
}

/// Opens the displays that were selected, in the order given; no selection is `auto`. Reads each once, which may block.
///
/// - `auto`: every backlight of the best type there is; a lone one is called "Built-in display". With none, a
///   simulated display, and a note why.
/// - A backlight's id is its kernel name, so it is the same at every start. Each has a queue of its own; simulated
///   displays have one only while they are told to be slow.
///
/// - Parameters:
///   - selections: What `--display` was given.
///   - root: Where sysfs is mounted.
///   - minimum: The guard of every display, as a fraction.
/// - Returns: At least one display.
/// - Throws: When a display that was asked for by name is not there or cannot be read, and when one is selected twice.
package func openDisplays(
    _ selections: [DisplaySelection],
    sysfsRoot root: String = "/sys",
    minimum: Brightness = Brightness(clamping: 0)
) throws(SelectionError) -> OpenedDisplays {
    var opener = try DisplayOpener(for: selections, root: root, minimum: minimum)
    for selection in selections.isEmpty ? [.auto] : selections { try opener.open(selection) }
    return opener.opened
}

private struct DisplayOpener {
    let root: String
    let minimum: Brightness
    let found: BacklightDiscovery
    var opened = OpenedDisplays()

    init(for selections: [DisplaySelection], root: String, minimum: Brightness) throws(SelectionError) {
        self.root = root
        self.minimum = minimum
        let isAllSimulated = selections.allSatisfy { if case .simulated = $0 { true } else { false } }
        do throws(DeviceError) {
            found = isAllSimulated && !selections.isEmpty ? BacklightDiscovery() : try BacklightDiscovery(root: root)
        } catch {
            throw .unlistable(error)
        }
    }

    mutating func open(_ selection: DisplaySelection) throws(SelectionError) {
        switch selection {
        case .auto: try openBest()
        case .backlight(let id): try open(id, name: nil)
        case .simulated(let id): try simulate(id)
        }
    }

    private mutating func openBest() throws(SelectionError) {
        opened.notes += found.skipped.map { .skipped($0) }
        guard let best = found.backlights.first?.type else {
            try simulate(nil)
            opened.notes.append(.simulated(insteadOf: SysfsBacklight.directory(under: root)))
            return
        }
        let chosen = found.backlights.filter { $0.type == best }
        for backlight in chosen { try open(backlight.id, name: chosen.count == 1 ? "Built-in display" : nil) }
        opened.notes += found.backlights.filter { $0.type != best }.map { .passedOver($0, for: best) }
    }

    private mutating func open(_ id: DisplayID, name: String?) throws(SelectionError) {
        do throws(DeviceError) {
            let panel = try SysfsBacklight(id, root: root, name: name, minimum: minimum)
            _ = try panel.read()
            if let refusal = panel.writeRefusal { opened.notes.append(.unwritable(id, refusal)) }
            opened.seats.append(DisplayService.Seat(panel, on: SerialQueue("panel.\(id)")))
        } catch {
            throw .unusable(id, error, present: found.backlights.map(\.id))
        }
        try checkLast()
    }

    private mutating func simulate(_ id: DisplayID?) throws(SelectionError) {
        let guardStep = BrightnessRange.guardStep(for: minimum, maximum: SimulatedPanel.usualMaximum)
        let panel = SimulatedPanel(
            id: id ?? SimulatedPanel.usualID,
            name: id.map { "Simulated display \($0)" } ?? "Simulated display",
            minimum: guardStep
        )
        opened.seats.append(DisplayService.Seat(panel, on: SimulatedQueue(of: panel)))
        opened.simulated.append(panel)
        try checkLast()
    }

    private func checkLast() throws(SelectionError) {
        let ids = opened.seats.map(\.panel.id)
        if let last = ids.last, ids.dropLast().contains(last) { throw .twice(last) }
    }
}
