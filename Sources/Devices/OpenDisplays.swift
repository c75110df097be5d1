// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// Opens the selected displays in order; no selection means `auto`. Reads each once, which may block.
///
/// - `auto`: every backlight of the best type; a single one is named "Built-in display". Then every monitor that
///   responds. No LEDs. If no selection has a display, a simulated one and a notice, except while a backlight cannot be
///   read.
/// - `cec:auto`: the television at every CEC adapter that exists now. Without one, an error.
/// - `none`: no display.
/// - A monitor that sleeps or does not answer is opened later, since its range is unknown until then. With `auto` a
///   simulated display may stand in for it. One that an earlier run may have switched off is opened at once.
/// - The id of a backlight or LED is made of its kernel name, so it is the same at every start (`DeviceIDs`). Each has
///   a queue of its own; simulated displays have one only while they are slow.
///
/// - Parameters:
///   - selections: The values of `--display`.
///   - pairs: The values of `--pair`.
///   - excluded: The displays that `auto` ignores, by their kernel names or ids.
///   - root: The mount point of sysfs.
///   - minimum: The minimum of every display, as a fraction.
///   - watch: Reports changes by other programs.
/// - Returns: At least one display, except for `none`, for a selected monitor that does not answer, and for `auto`
///   where no backlight can be read.
/// - Throws: If a selected display does not exist or cannot be read, if one is selected twice, or if a pair has the id
///   of another display or shares a part.
package func openDisplays(
    _ selections: [DisplaySelection],
    pairs: [DisplayPair] = [],
    goingOnFrom earlier: [DisplayID: RecoveredRecord] = [:],
    excluding excluded: Set<KernelName> = [],
    sysfsRoot root: String = "/sys",
    minimum: Brightness = Brightness(clamping: 0),
    watch: PanelWatch = PanelWatch(),
    monitors: MonitorSource? = nil,
    televisions: TelevisionSource? = nil
) throws(SelectionError) -> OpenedDisplays {
    let records = earlier.mapValues(\.record).withParts(of: pairs)
    let addresses = records.compactMapValues { $0.device.address(of: .backlight) }
    let devices = selections + pairs.flatMap(\.devices)
    let needsBacklights = selections.isEmpty || devices.contains(where: \.isOfBacklights)
    let discovery = try Result { () throws(DeviceError) in
        needsBacklights ? try BacklightDiscovery(root: root, after: addresses) : BacklightDiscovery()
    }.mapError { SelectionError.unlistable($0) }.get()
    var opener = DisplayOpener(
        excluded: Set(excluded.map { discovery.ids.device(called: $0).id }),
        root: root,
        minimum: minimum,
        watch: watch,
        monitors: monitors,
        reports: monitors == nil ? nil : watch.devices?.arrivals(in: ["drm", "i2c-dev"]),
        televisions: televisions,
        discovery: discovery,
        earlierBacklights: addresses,
        changedBacklights: Set(addresses.keys.filter { records[$0]?.needsRestore == true })
    )
    for selection in selections.isEmpty ? [.auto] : selections { try opener.open(selection) }
    try opener.openStandIn()
    try opener.open(pairs)
    return opener.finish(goingOnFrom: earlier)
}

private struct DisplayOpener {
    let excluded: Set<DisplayID>
    let root: String
    let minimum: Brightness
    let watch: PanelWatch
    let monitors: MonitorSource?
    /// The kernel's reports of connectors, which begin before the search.
    let reports: AsyncStream<Void>?
    let televisions: TelevisionSource?
    let discovery: BacklightDiscovery
    /// The backlights of earlier runs, and the address of each.
    let earlierBacklights: [DisplayID: String]
    let changedBacklights: Set<DisplayID>
    /// The result of the only search for monitors, made for the first one.
    var monitorSearch: DDCHelper.Search?
    /// Whether the search failed and has to be repeated.
    var needsSearch = false
    /// The monitors to open when they can be read.
    var waiting: [DDCHelper.Found] = []
    var openBacklights: Set<KernelName> = []
    var opened = OpenedDisplays()

    mutating func open(_ selection: DisplaySelection) throws(SelectionError) {
        switch selection {
        case .auto: try openBest()
        case .backlight(let name):
            let (device, id) = discovery.ids.device(called: name)
            try open(device, as: id)
        case .led(let name): try openLED(called: name)
        case .ddc(let id): try openMonitor(id)
        case .cec(let number): try openTelevision(number)
        case .allTelevisions: try openTelevisions()
        case .none: break
        case .simulated(let id): try simulate(id)
        }
    }

    /// Returns the displays, and the hotplug of others.
    mutating func finish(goingOnFrom earlier: [DisplayID: RecoveredRecord]) -> OpenedDisplays {
        // Before pairs take the places of their parts.
        let panels = opened.registrations.map(\.panel)
        let taken = panels.map(\.id) + waiting.map(\.id) + opened.pairs.all.map(\.id)
        pair(goingOnFrom: earlier)
        opened.monitorHotplug = monitorHotplug(with: panels)
        opened.pending = pending(apartFrom: panels)
        let autos = opened.backlightHotplug?.open ?? [:]
        opened.backlightHotplug?.selected = openBacklights.filter { autos[$0] == nil }
        opened.backlightHotplug?.taken.formUnion(taken)
        return opened
    }

    private var isAuto: Bool { opened.backlightHotplug != nil }

    /// Returns `nil` if no monitor can appear or wake.
    private func monitorHotplug(with panels: [any Panel]) -> MonitorHotplug? {
        let open = Set(panels.filter { $0.kind == .ddc }.map(\.id))
        let others = panels.filter { $0.kind != .ddc }.map(\.id) + opened.pairs.all.map(\.id)
        let hasReports = watch.devices != nil && (isAuto || !open.isEmpty)
        let isIncomplete = isAuto && monitorSearch?.isComplete == false
        guard let monitors, hasReports || !waiting.isEmpty || needsSearch || isIncomplete else { return nil }
        return MonitorHotplug(
            monitors: monitors,
            minimum: minimum,
            reports: reports,
            isAuto: isAuto,
            waiting: waiting,
            open: open,
            taken: excluded.union(others),
            standIn: opened.standIn,
            needsSearch: needsSearch,
            furtherPauses: isIncomplete ? MonitorHotplug.furtherSearches[...] : []
        )
    }

    /// The absent displays that an earlier run has changed; without `auto` only selected ones. A pair is unavailable
    /// without its part.
    private func pending(apartFrom panels: [any Panel]) -> Set<DisplayID> {
        let absent: Set<DisplayID> =
            if isAuto {
                changedBacklights.intersection(discovery.missing).union(monitors?.pending.map(\.id) ?? [])
            } else {
                Set(waiting.map(\.id).filter { monitors?.hasChanged($0) ?? false })
            }
        return absent.subtracting(excluded).subtracting(panels.map(\.id)).subtracting(opened.pairs.all.flatMap(\.parts))
    }

    // MARK: Pairs

    /// Opens the devices of pairs that no selection has opened.
    mutating func open(_ pairs: [DisplayPair]) throws(SelectionError) {
        var all: [Pairs.Pair] = []
        for pair in pairs {
            let new = Pairs.Pair(id: pair.id, brightness: try open(pair.brightness), power: try open(pair.power))
            var parts = Set(all.flatMap(\.parts))
            for part in new.parts where !parts.insert(part).inserted { throw .partTwice(part.text) }
            all.append(new)
        }
        var ids = Set(all.flatMap(\.parts))
        for pair in all where isTaken(pair.id) || !ids.insert(pair.id).inserted { throw .pairExists(pair.id) }
        opened.pairs = Pairs(all)
    }

    private mutating func open(_ part: DisplayPair.Part) throws(SelectionError) -> DisplayID {
        let selection: DisplaySelection
        switch part {
        case .display(let id): return id
        case .device(let device): selection = device
        }
        let id: DisplayID
        switch selection {
        case .backlight(let name): id = discovery.ids.device(called: name).id
        case .led(let name): id = DeviceIDs(of: leds).device(called: name).id
        case .ddc(let monitor): id = monitor
        case .cec(let number): id = TelevisionSource.id(of: number)
        case .simulated(let name): id = name ?? SimulatedPanel.defaultID
        case .auto, .allTelevisions, .none: preconditionFailure("\(selection) as a part of a pair")
        }
        if !isTaken(id) { try open(selection) }
        return id
    }

    /// Puts the pairs in place of their parts, and of the simulated display that stands in for a real one. A pair of an
    /// earlier run is served even while a part is missing: that run may have left the other part dark or raised.
    private mutating func pair(goingOnFrom earlier: [DisplayID: RecoveredRecord]) {
        for pair in opened.pairs.all {
            let parts = opened.registrations.map(\.panel).filter { pair.parts.contains($0.id) }
            opened.notices += pair.parts.filter { id in !parts.contains { $0.id == id } }
                .map { .pairWaits(pair.id, for: $0) }
            if let power = parts.first(where: { $0.id == pair.power }), !power.isSwitchable {
                opened.notices.append(.pairUnswitchable(pair.id, power.id))
            }
        }
        var registrations = opened.registrations.compactMap { opened.pairs.admit($0) }
        for pair in opened.pairs.all where !registrations.contains(where: { $0.panel.id == pair.id }) {
            guard let record = earlier[pair.id]?.record, record.provided == nil else { continue }
            registrations.append(opened.pairs.resume(pair, from: record))
        }
        let hasPair = registrations.contains { opened.pairs.includes($0.panel.id) }
        opened.registrations = registrations
        if hasPair, let standIn = opened.backlightHotplug?.standIn {
            opened.backlightHotplug?.standIn = nil
            opened.registrations.removeAll { $0.panel.id == standIn }
            opened.simulated.removeAll { $0.id == standIn }
        }
    }

    private mutating func openBest() throws(SelectionError) {
        opened.notices += discovery.skipped.map { .skipped($0) }
        opened.notices += discovery.missing.filter { !excluded.contains($0) }.map { .missing($0) }
        let backlights = discovery.backlights.filter { !excluded.contains($0.id) }
        let best = backlights.first?.type
        let chosen = backlights.filter { $0.type == best }
        for backlight in chosen {
            let name = chosen.count == 1 ? BacklightHotplug.nameOfSingle : nil
            try open(backlight.device, as: backlight.id, name: name, isAuto: true)
        }
        if let best { opened.notices += backlights.filter { $0.type != best }.map { .passedOver($0, for: best) } }
        try openMonitors()
        opened.backlightHotplug = BacklightHotplug(
            root: root,
            minimum: minimum,
            watch: watch,
            excluded: excluded,
            open: Dictionary(uniqueKeysWithValues: chosen.map { ($0.device, $0.type) }),
            passedOver: Set(backlights.filter { $0.type != best }.map(\.device)),
            taken: [],
            earlier: earlierBacklights
        )
    }

    /// Opens the simulated display that `auto` serves while no selection has a display. One that accepts every command
    /// must not take the place of a panel that cannot be read yet.
    mutating func openStandIn() throws(SelectionError) {
        guard isAuto, opened.registrations.isEmpty, discovery.skipped.isEmpty else { return }
        try simulate(nil)
        opened.notices.append(.simulated(insteadOf: SysfsBacklight.directory(under: root)))
        opened.backlightHotplug?.standIn = SimulatedPanel.defaultID
    }

    // MARK: Monitors

    /// Opens every monitor that responds, and those of earlier runs that are plugged in. Adds notices for the others.
    private mutating func openMonitors() throws(SelectionError) {
        guard let monitors else { return }
        var found: [DDCHelper.Found] = []
        do throws(MonitorProblem) {
            found = try search(with: monitors)
            if found.isEmpty { opened.notices.append(.monitors(.none)) }
        } catch {
            opened.notices.append(.monitors(error))
        }
        // A monitor that is asleep or off may not answer a search.
        let silent = monitors.known.filter { one in !found.contains { $0.id == one.id } }
        for monitor in found + silent where !excluded.contains(monitor.id) {
            guard !isTaken(monitor.id) else {
                opened.notices.append(.monitors(.repeated(monitor)))
                continue
            }
            openOrAwait(monitor, by: monitors, isAuto: true)
        }
    }

    private mutating func openOrAwait(_ monitor: DDCHelper.Found, by monitors: MonitorSource, isAuto: Bool = false) {
        do throws(DeviceError) {
            opened.registrations.append(try monitors.open(monitor, minimum: minimum))
        } catch .absent where isAuto {
            // The search after it is plugged in finds it.
        } catch {
            var problem = MonitorProblem.waiting(monitor, error)
            if case .asleep = error { problem = .asleep(monitor) }
            opened.notices.append(.monitors(problem))
            waiting.append(monitor)
        }
    }

    private mutating func search(with monitors: MonitorSource) throws(MonitorProblem) -> [DDCHelper.Found] {
        if let monitorSearch { return monitorSearch.found }
        do throws(MonitorProblem) {
            let search = try monitors.search()
            monitorSearch = search
            return search.found
        } catch {
            needsSearch = error.isTransient
            throw error
        }
    }

    /// Opens a selected monitor. An absent one is an error, unless an earlier run has served it or the search failed.
    private mutating func openMonitor(_ id: DisplayID) throws(SelectionError) {
        guard let monitors else { throw .noMonitor(id, .noHelper, present: []) }
        var found: [DDCHelper.Found] = []
        var problem: MonitorProblem?
        do throws(MonitorProblem) {
            found = try search(with: monitors)
        } catch {
            problem = error
        }
        guard let monitor = found.first(where: { $0.id == id }) ?? monitors.awaited(id, afterFailure: needsSearch)
        else {
            throw .noMonitor(id, problem ?? MonitorProblem.none, present: found.map(\.id))
        }
        if let problem { opened.notices.append(.monitors(problem)) }
        openOrAwait(monitor, by: monitors)
        try checkIDs()
    }

    // MARK: Televisions

    private mutating func openTelevision(_ number: Int) throws(SelectionError) {
        do throws(DeviceError) {
            guard let televisions else { throw .absent(path: TelevisionSource.path(of: number)) }
            opened.registrations.append(try televisions.open(number))
        } catch {
            throw .unusable(.cec(number), error, present: TelevisionSource.present.map { .cec($0) })
        }
        try checkIDs()
    }

    private mutating func openTelevisions() throws(SelectionError) {
        let numbers = televisions?.outputs ?? []
        if numbers.isEmpty { throw .unusable(.allTelevisions, .absent(path: "/dev/cec0"), present: []) }
        for number in numbers {
            let id = TelevisionSource.id(of: number)
            if !excluded.contains(id), !isTaken(id) { try openTelevision(number) }
        }
    }

    // MARK: Backlights and LEDs

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
            _ = try panel.read()
            if let refusal = panel.writeRefusal { opened.notices.append(.unwritable(id, refusal)) }
            opened.registrations.append(DisplayService.PanelRegistration(panel, comesAndGoes: isAuto))
        } catch {
            throw .unusable(.backlight(device), error, present: discovery.backlights.map { .backlight($0.device) })
        }
        openBacklights.insert(device)
        try checkIDs()
    }

    private var leds: [KernelName] { (try? SysfsDirectory(path: SysfsLED.directory(under: root)).devices) ?? [] }

    private mutating func openLED(called name: KernelName) throws(SelectionError) {
        let present = leds
        let (device, id) = DeviceIDs(of: present).device(called: name)
        do throws(DeviceError) {
            let panel = try SysfsLED(id, device: device, root: root, minimum: minimum, watch: watch)
            _ = try panel.read()
            if let refusal = panel.writeRefusal { opened.notices.append(.unwritable(id, refusal)) }
            if let trigger = panel.trigger { opened.notices.append(.triggered(id, by: trigger)) }
            opened.registrations.append(DisplayService.PanelRegistration(panel))
        } catch {
            throw .unusable(.led(device), error, present: present.map { .led($0) })
        }
        try checkIDs()
    }

    private mutating func simulate(_ id: DisplayID?) throws(SelectionError) {
        let minimumStep = BrightnessRange.minimumStep(for: minimum, maximum: SimulatedPanel.defaultMaximum)
        let panel = SimulatedPanel(
            id: id ?? SimulatedPanel.defaultID,
            name: id.map { "Simulated display \($0)" } ?? "Simulated display",
            minimum: minimumStep
        )
        opened.registrations.append(DisplayService.PanelRegistration(panel, on: SimulatedQueue(of: panel)))
        opened.simulated.append(panel)
        try checkIDs()
    }

    private func isTaken(_ id: DisplayID) -> Bool {
        opened.registrations.contains { $0.panel.id == id } || waiting.contains { $0.id == id }
    }

    private func checkIDs() throws(SelectionError) {
        var ids: Set<DisplayID> = []
        for id in waiting.map(\.id) + opened.registrations.map(\.panel.id) where !ids.insert(id).inserted {
            throw .twice(id.text)
        }
    }
}
