// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The displays a daemon starts with, and what its log should say about them.
package struct OpenedDisplays: Sendable {
    package internal(set) var seats: [DisplayService.Seat] = []
    /// Those that are simulated.
    package internal(set) var simulated: [SimulatedPanel] = []
    package internal(set) var notes: [OpeningNote] = []
    /// Finds the backlights that come later; `nil` if none is waited for.
    package internal(set) var finder: DisplayFinder?
    /// Opens the monitors that sleep now; `nil` if none does.
    package internal(set) var monitorFinder: MonitorFinder?
    /// A stand-in that is not needed any more.
    package internal(set) var replaced: DisplayID?

    /// Whether a display of this id is here, or is waited for.
    package func includes(_ id: DisplayID) -> Bool {
        seats.contains { $0.panel.id == id } || monitorFinder?.sleeping.contains { $0.id == id } ?? false
    }
}

/// Opens the displays that were selected, in the order given; no selection is `auto`. Reads each once, which may block.
///
/// - `auto`: every backlight of the best type there is; a lone one is called "Built-in display". Then every monitor that
///   answers. With none of either, a simulated display, and a note why. No LEDs.
/// - `none`: none at all.
/// - A monitor that sleeps is opened when it is awake: until then nobody knows its range. A stand-in takes its place among
///   what `auto` found.
/// - A backlight's or LED's id is made of its kernel name, so it is the same at every start (`DeviceIDs`). Each has a queue
///   of its own; simulated displays have one only while they are told to be slow.
///
/// - Parameters:
///   - selections: What `--display` was given.
///   - excluded: What `auto` does not take.
///   - root: Where sysfs is mounted.
///   - minimum: The guard of every display, as a fraction.
///   - watch: How panels learn of changes by others.
///   - monitors: Where monitors come from; `nil` for none.
/// - Returns: At least one display, unless `none` was asked for, or a monitor by its name that sleeps.
/// - Throws: When a display that was asked for by name is not there or cannot be read, when one is selected twice, and when
///   `none` is not alone.
package func openDisplays(
    _ selections: [DisplaySelection],
    excluding excluded: Set<DisplayID> = [],
    sysfsRoot root: String = "/sys",
    minimum: Brightness = Brightness(clamping: 0),
    watch: PanelWatch = PanelWatch(),
    monitors: MonitorSource? = nil
) throws(SelectionError) -> OpenedDisplays {
    var opener = try DisplayOpener(
        for: selections,
        excluding: excluded,
        root: root,
        minimum: minimum,
        watch: watch,
        monitors: monitors
    )
    guard selections.count < 2 || !selections.contains(.none) else { throw .noneBesideOthers }
    for selection in selections.isEmpty ? [.auto] : selections { try opener.open(selection) }
    return opener.finish()
}

private struct DisplayOpener {
    let excluded: Set<DisplayID>
    let root: String
    let minimum: Brightness
    let watch: PanelWatch
    let monitors: MonitorSource?
    let found: BacklightDiscovery
    /// Searched for once, when the first is wanted.
    private var answering: [DDCHelper.Found]?
    /// Monitors that are to be opened when they are awake.
    private var sleeping: [DDCHelper.Found] = []
    private var openBacklights: Set<KernelName> = []
    var opened = OpenedDisplays()

    init(
        for selections: [DisplaySelection],
        excluding excluded: Set<DisplayID>,
        root: String,
        minimum: Brightness,
        watch: PanelWatch,
        monitors: MonitorSource?
    ) throws(SelectionError) {
        self.excluded = excluded
        self.monitors = monitors
        self.root = root
        self.minimum = minimum
        self.watch = watch
        let needsBacklights = selections.isEmpty || selections.contains(where: \.isOfBacklights)
        do throws(DeviceError) {
            found = needsBacklights ? try BacklightDiscovery(root: root) : BacklightDiscovery()
        } catch {
            throw .unlistable(error)
        }
    }

    mutating func open(_ selection: DisplaySelection) throws(SelectionError) {
        switch selection {
        case .auto: try openBest()
        case .backlight(let name): try openBacklight(called: name)
        case .led(let name): try openLED(called: name)
        case .ddc(let id): try openMonitor(id)
        case .none: break
        case .simulated(let id): try simulate(id)
        }
    }

    /// With what is waited for.
    mutating func finish() -> OpenedDisplays {
        if let monitors, !sleeping.isEmpty {
            let standIn = opened.finder?.standIn
            opened.monitorFinder = MonitorFinder(sleeping, from: monitors, minimum: minimum, standIn: standIn)
        }
        opened.finder?.known.formUnion(openBacklights)
        opened.finder?.taken.formUnion(opened.seats.map(\.panel.id) + sleeping.map(\.id))
        return opened
    }

    private mutating func openBest() throws(SelectionError) {
        opened.notes += found.skipped.map { .skipped($0) }
        let backlights = found.backlights.filter { !excluded.contains($0.id) }
        let best = backlights.first?.type
        let chosen = backlights.filter { $0.type == best }
        for backlight in chosen {
            let name = chosen.count == 1 ? DisplayFinder.nameOfLone : nil
            try open(backlight.device, as: backlight.id, name: name, isAuto: true)
        }
        if let best { opened.notes += backlights.filter { $0.type != best }.map { .passedOver($0, for: best) } }
        let count = opened.seats.count
        try openMonitors()
        let hasNone = chosen.isEmpty && opened.seats.count == count
        if hasNone {
            try simulate(nil)
            opened.notes.append(.simulated(insteadOf: SysfsBacklight.directory(under: root)))
        }
        opened.finder = DisplayFinder(
            root: root,
            minimum: minimum,
            watch: watch,
            excluded: excluded,
            known: Set(found.backlights.map(\.device)),
            taken: [],
            best: best,
            standIn: hasNone ? SimulatedPanel.usualID : nil
        )
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
        for monitor in found where !excluded.contains(monitor.id) {
            do throws(DeviceError) {
                try openIfAwake(monitor, by: monitors)
            } catch {
                opened.notes.append(.monitors(.leftOut(monitor, error)))
                continue
            }
            try checkIDs()
        }
    }

    private mutating func openIfAwake(_ monitor: DDCHelper.Found, by monitors: MonitorSource) throws(DeviceError) {
        do {
            opened.seats.append(try monitors.open(monitor, minimum: minimum))
        } catch .asleep {
            opened.notes.append(.monitors(.asleep(monitor)))
            sleeping.append(monitor)
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
            try openIfAwake(monitor, by: monitors)
        } catch {
            throw .noMonitor(id, .leftOut(monitor, error), present: found.map(\.id))
        }
        try checkIDs()
    }

    private mutating func openBacklight(called name: KernelName) throws(SelectionError) {
        let device = found.ids.device(called: name)
        try open(device?.name ?? name, as: device?.id ?? DisplayID(deviceName: name.text))
    }

    private mutating func open(
        _ device: KernelName,
        as id: DisplayID,
        name: String? = nil,
        isAuto: Bool = false
    ) throws(SelectionError) {
        do throws(DeviceError) {
            let panel = try SysfsBacklight(
                id,
                device: device,
                root: root,
                name: name,
                minimum: minimum,
                watch: watch
            )
            try panel.look()
            if let refusal = panel.writeRefusal { opened.notes.append(.unwritable(id, refusal)) }
            opened.seats.append(
                isAuto ? .coming(panel) : DisplayService.Seat(panel, on: SerialQueue("panel.\(id)"))
            )
        } catch {
            throw .unusable(.backlight(device), error, present: found.backlights.map { .backlight($0.device) })
        }
        openBacklights.insert(device)
        try checkIDs()
    }

    private mutating func openLED(called name: KernelName) throws(SelectionError) {
        let present = (try? SysfsDirectory(path: SysfsLED.directory(under: root)).devices) ?? []
        let (device, id) =
            DeviceIDs(of: present).device(called: name) ?? (name, DisplayID(deviceName: name.text))
        do throws(DeviceError) {
            let panel = try SysfsLED(id, device: device, root: root, minimum: minimum, watch: watch)
            _ = try panel.read()
            if let refusal = panel.writeRefusal { opened.notes.append(.unwritable(id, refusal)) }
            if let trigger = panel.trigger { opened.notes.append(.triggered(id, by: trigger)) }
            opened.seats.append(DisplayService.Seat(panel, on: SerialQueue("panel.\(id)")))
        } catch {
            throw .unusable(.led(device), error, present: present.map { .led($0) })
        }
        try checkIDs()
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
        try checkIDs()
    }

    private func checkIDs() throws(SelectionError) {
        var ids: Set<DisplayID> = []
        for id in sleeping.map(\.id) + opened.seats.map(\.panel.id) where !ids.insert(id).inserted { throw .twice(id) }
    }
}
