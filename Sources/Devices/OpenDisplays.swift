// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The displays a daemon starts with, and what its log should say about them.
package struct OpenedDisplays: Sendable {
    package internal(set) var seats: [DisplayService.Seat] = []
    package internal(set) var notes: [OpeningNote] = []
}

/// Opens the displays that were selected, in the order given; no selection is `auto`. Reads each once, which may block.
///
/// - `auto`: every backlight of the best type there is; a lone one is called "Built-in display". Then every monitor that
///   answers. With none of either, a simulated display, and a note why.
/// - A backlight's id is its kernel name, so it is the same at every start. Each has a queue of its own; simulated
///   displays never block and need none.
///
/// - Parameters:
///   - selections: What `--display` was given.
///   - root: Where sysfs is mounted.
///   - minimum: The guard of every display, as a fraction.
///   - monitors: Where monitors come from; `nil` for none.
/// - Returns: At least one display.
/// - Throws: When a display that was asked for by name is not there or cannot be read, and when one is selected twice.
package func openDisplays(
    _ selections: [DisplaySelection],
    sysfsRoot root: String = "/sys",
    minimum: Brightness = Brightness(clamping: 0),
    monitors: MonitorSource? = nil
) throws(SelectionError) -> OpenedDisplays {
    var opener = try DisplayOpener(for: selections, root: root, minimum: minimum, monitors: monitors)
    for selection in selections.isEmpty ? [.auto] : selections { try opener.open(selection) }
    return opener.opened
}

private struct DisplayOpener {
    let root: String
    let minimum: Brightness
    let monitors: MonitorSource?
    let found: BacklightDiscovery
    /// Searched for once, when the first is wanted.
    private var answering: [DDCHelper.Found]?
    var opened = OpenedDisplays()

    init(
        for selections: [DisplaySelection],
        root: String,
        minimum: Brightness,
        monitors: MonitorSource?
    ) throws(SelectionError) {
        self.monitors = monitors
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
        case .ddc(let id): try openMonitor(id)
        case .simulated(let id): try simulate(id)
        }
    }

    private mutating func openBest() throws(SelectionError) {
        opened.notes += found.skipped.map { .skipped($0) }
        guard let best = found.backlights.first?.type else {
            let count = opened.seats.count
            try openMonitors()
            guard opened.seats.count == count else { return }
            try simulate(nil)
            opened.notes.append(.simulated(insteadOf: SysfsBacklight.directory(under: root)))
            return
        }
        let chosen = found.backlights.filter { $0.type == best }
        for backlight in chosen { try open(backlight.id, name: chosen.count == 1 ? "Built-in display" : nil) }
        opened.notes += found.backlights.filter { $0.type != best }.map { .passedOver($0, for: best) }
        try openMonitors()
    }

    // MARK: Monitors

    /// All that answer. What keeps one or all of them away is noted.
    private mutating func openMonitors() throws(SelectionError) {
        guard let monitors else { return }
        let found: [DDCHelper.Found]
        do throws(MonitorNote) {
            found = try answering(from: monitors)
        } catch {
            return opened.notes.append(.monitors(error))
        }
        if found.isEmpty { opened.notes.append(.monitors(.none)) }
        for monitor in found {
            do throws(DeviceError) {
                opened.seats.append(try monitors.open(monitor, minimum: minimum))
            } catch {
                opened.notes.append(.monitors(.leftOut(monitor, error)))
                continue
            }
            try checkLast()
        }
    }

    private mutating func answering(from monitors: MonitorSource) throws(MonitorNote) -> [DDCHelper.Found] {
        if let answering { return answering }
        let found = try monitors.detect()
        answering = found
        return found
    }

    private mutating func openMonitor(_ id: DisplayID) throws(SelectionError) {
        guard let monitors else { throw .noMonitor(id, .noHelper, present: []) }
        let found: [DDCHelper.Found]
        do throws(MonitorNote) {
            found = try answering(from: monitors)
        } catch {
            throw .noMonitor(id, error, present: [])
        }
        guard let monitor = found.first(where: { $0.id == id }) else {
            throw .noMonitor(id, .none, present: found.map(\.id))
        }
        do throws(DeviceError) {
            opened.seats.append(try monitors.open(monitor, minimum: minimum))
        } catch {
            throw .noMonitor(id, .leftOut(monitor, error), present: found.map(\.id))
        }
        try checkLast()
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
        opened.seats.append(DisplayService.Seat(panel, on: ImmediateQueue()))
        try checkLast()
    }

    private func checkLast() throws(SelectionError) {
        let ids = opened.seats.map(\.panel.id)
        if let last = ids.last, ids.dropLast().contains(last) { throw .twice(last) }
    }
}
