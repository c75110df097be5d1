// SPDX-License-Identifier: Apache-2.0
import DDCWire
import TestSupport

/// A random story of one seed: which monitor is which, and what was last done to it.
///
/// Monitors are switched off and on, unplugged, plugged in elsewhere and swapped. Searches miss some, list some
/// without an answer, repeat, change the order, or fail. The helper crashes, the daemon is killed, and the machine
/// restarts with other numbers of its buses. `KnownMonitors` is real.
struct FindingStory {
    private struct Device {
        let model: String
        let edid: [UInt8]
        /// `nil` while it is unplugged.
        var connector: Int?
        var isOn = true
        /// The id under which the daemon has switched it off, and the connector at that time.
        var darkened: (id: String, connector: Int)?
        /// The id under which it was found last, and the connector at that time.
        var found: (id: String, connector: Int)?
    }

    private var random: SplitMix
    private var devices: [Device]
    /// Whether the kernel reports the bus of each connector, a monitor that is off drops its hot-plug pin, and its EDID
    /// can be read.
    private let reportsBuses: Bool
    private let (dropsPin, keepsEDID): (Bool, Bool)
    private var firstBus = 3
    /// Of the helper's process.
    private var helper = KnownMonitors()
    /// Of the daemon: every id with its address.
    private var addresses: [String: MonitorAddress?] = [:]
    /// In the journal: the monitors that may be off because of the daemon.
    private var dark: [String: MonitorAddress?] = [:]
    private var violation: String?
    /// The events, for a failure.
    private(set) var lines: [String] = []

    init(seed: UInt64) {
        var random = SplitMix(seed: seed, step: -13)
        reportsBuses = random.chance(70)
        (dropsPin, keepsEDID) = (random.chance(50), random.chance(50))
        // Without the buses of connectors, equal monitors cannot be distinguished.
        let models = ["X", random.chance(50) && reportsBuses ? "X" : "Z", "Y"].prefix(random.number(1...3))
        devices = models.enumerated().map { Device(model: $1, edid: Array($1.utf8), connector: $0 + 1) }
        self.random = random
    }

    /// - Returns: The rule that was broken; `nil` if none was.
    mutating func play() -> String? {
        search()
        for _ in 0..<random.number(5...40) where violation == nil { step() }
        if violation == nil { end() }
        return violation
    }

    private mutating func note(_ line: String) { lines.append(line) }

    private mutating func violate(_ rule: String) { violation = violation ?? rule }

    private mutating func step() {
        let index = random.number(0...devices.count - 1)
        switch random.number(0...11) {
        case ..<4:
            guard let id = addresses.keys.sorted().first(where: { _ in random.chance(50) }) else { return }
            switchPower(of: id, isOn: random.chance(40))
        case 4:
            guard devices[index].isOn || !hasDarkTwin(index) else { return }
            note("a person switches \(index) \(devices[index].isOn ? "off" : "on")")
            devices[index].isOn.toggle()
            if devices[index].isOn { devices[index].darkened = nil }
        case 5, 6: plug(index)
        case 7:
            note("the helper crashes")
            helper = KnownMonitors()
            search()
        case 8: restart()
        default: search()
        }
    }

    /// Unplugs a monitor, plugs it in, or swaps it with another one. The kernel reports that, so a search follows,
    /// which may fail.
    private mutating func plug(_ index: Int) {
        let connector = random.number(0...3)
        // A dark monitor only comes back to its connector, which nothing else has taken.
        let dark = devices.firstIndex { $0.darkened?.connector == connector }
        let isOwn = devices[index].darkened.map { _ in dark == index } ?? (dark == nil && !hasDarkTwin(index))
        guard connector == 0 || isOwn else { return }
        note("\(index) is \(connector == 0 ? "unplugged" : "plugged into DP-\(connector)")")
        if connector > 0, let other = devices.firstIndex(where: { $0.connector == connector }), other != index {
            guard !hasDarkTwin(other), devices[index].connector != nil else { return }
            devices[other].connector = devices[index].connector
        }
        devices[index].connector = connector == 0 ? nil : connector
        search()
    }

    /// Whether an equal monitor is dark: it cannot be distinguished from one that comes.
    private func hasDarkTwin(_ index: Int) -> Bool { twin(of: index).map { devices[$0].darkened != nil } ?? false }

    private func twin(of index: Int) -> Int? {
        devices.indices.first { $0 != index && devices[$0].model == devices[index].model }
    }

    private mutating func restart() {
        let isBoot = random.chance(50)
        note(isBoot ? "the machine restarts" : "the daemon is killed, and starts")
        if isBoot, reportsBuses { firstBus = random.number(0...9) }
        (helper, addresses) = (KnownMonitors(), dark.merging(addresses.mapValues { $0 }) { record, _ in record })
        search()
        for id in dark.keys.sorted() { switchPower(of: id, isOn: true) }
    }

    // MARK: Buses

    private var connectors: [Connector] {
        (1...3).map { number in
            let device = devices.first { $0.connector == number && ($0.isOn || !dropsPin) }
            return Connector(
                name: "card0-DP-\(number)",
                buses: reportsBuses ? [firstBus + number] : [],
                edid: device?.edid ?? [],
                isConnected: device != nil,
                isOn: device != nil
            )
        }
    }

    private mutating func search(isHonest: Bool = false) {
        if !isHonest, random.chance(15) { return note("a search fails") }
        var listed: [ListedMonitor] = []
        for device in devices {
            guard let connector = device.connector, device.isOn || keepsEDID else { continue }
            let isMissed = !isHonest && random.chance(20)
            if isMissed, random.chance(50) { continue }
            listed.append(
                ListedMonitor(
                    model: device.model,
                    name: device.model,
                    bus: firstBus + connector,
                    edid: device.edid,
                    answers: device.isOn && !isMissed
                )
            )
            if random.chance(50) { listed.reverse() }
        }
        for _ in 0..<(random.chance(20) ? 2 : 1) { helper.adopt(listed, known: addresses, among: connectors) }
        let found = helper.monitors.filter(\.answers)
        let names = listed.map { "\($0.model)@\($0.bus)" }
        note("a search finds \(found.map { "\($0.id)@\($0.address.text)" }) of \(names)")
        if Set(helper.monitors.map(\.id)).count < helper.monitors.count { violate("two monitors have one id") }
        if found.count != listed.count(where: \.answers) { violate("one that answers has no id") }
        for monitor in found { identify(monitor) }
    }

    private mutating func identify(_ monitor: KnownMonitors.Monitor) {
        addresses[monitor.id] = monitor.address
        for id in dark.keys { dark[id] = addresses[id] }
        guard let index = devices.firstIndex(where: { $0.connector == monitor.bus - firstBus }) else {
            return violate("\(monitor.id) is found where nothing is")
        }
        let device = devices[index]
        let isRight = twin(of: index) == nil ? monitor.id == device.model : monitor.id.hasPrefix(device.model)
        if !isRight { violate("\(monitor.id) is \(device.model)") }
        if let found = device.found, found.connector == device.connector, found.id != monitor.id, reportsBuses {
            violate("\(found.id) is \(monitor.id) now, and was not moved")
        }
        for other in devices.indices where devices[other].found?.id == monitor.id { devices[other].found = nil }
        devices[index].found = (monitor.id, device.connector!)
    }

    /// The daemon marks a monitor before it switches it off, and removes the mark when it is on.
    private mutating func switchPower(of id: String, isOn: Bool) {
        let bus = helper[id]?.bus
        let index = bus.flatMap { bus in devices.firstIndex { $0.connector == bus - firstBus } }
        if !isOn, !helper.maySwitchOff(id, among: connectors) { return note("\(id) cannot be switched off") }
        note("\(id) is switched \(isOn ? "on" : "off"): \(index.map { "\($0)" } ?? "it is not there")")
        if !isOn {
            dark[id] = addresses[id]
            // Two equal ones can be distinguished once both were found where they are.
            let twin: Device? = index.flatMap { self.twin(of: $0) }.map { devices[$0] }
            guard let index, devices[index].isOn, twin == nil || twin?.found?.connector == twin?.connector
            else { return }
            devices[index].isOn = false
            devices[index].darkened = (id, devices[index].connector!)
        } else if let index {
            devices[index].isOn = true
            devices[index].darkened = nil
            dark[id] = nil
        }
    }

    // MARK: Rules

    /// From now on everything answers that is on. What was switched off is switched on, or is marked.
    private mutating func end() {
        note("all searches are honest")
        for device in devices {
            guard let (id, _) = device.darkened, dark[id] == nil else { continue }
            violate("\(id) is dark, and not marked")
        }
        for _ in 0..<2 {
            search(isHonest: true)
            for id in dark.keys.sorted() { switchPower(of: id, isOn: true) }
        }
        for device in devices {
            guard let (id, connector) = device.darkened else { continue }
            if dark[id] == nil { violate("\(id) is dark for ever") }
            if device.connector == connector { violate("\(id) is dark where it was switched off") }
        }
    }
}
