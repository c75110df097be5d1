// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import BrightnessCore
@testable import Devices
@testable import Journal

/// One run of the daemon over the simulated panels and disk: the real service and the real journal. It ends on command
/// or at its n-th effect. From then on it has no more effects.
final class Daemon: @unchecked Sendable {  // One thread: all its queues are run by the test.
    private static let everything = NotificationFilter(Set(Notification.Kind.allCases))

    let hub = NotificationHub()
    let journalQueue = ManualQueue()
    let panelQueues: [ManualQueue]
    private(set) var service: DisplayService?
    private(set) var writer: JournalWriter?
    /// The queue of the holders.
    let holderQueue = ManualQueue()
    private(set) var holders: HolderService?
    /// Whether the displays have their last commands.
    var isStopping = false
    private(set) var isAlive = true
    /// Whether the journal has finished a write since the start: before, the file may have its earlier content.
    private(set) var hasWritten = false
    /// The number of effects after which it ends.
    var fuse: Int?

    /// Called before it takes a display's waiting commands.
    var beginsBatch: ((Screen) -> Void)?

    /// Every posted notification without conflation.
    private(set) var revision: UInt64 = 0
    private(set) var health = JournalHealth.durable
    /// The ends of leases in this run that were not checked yet.
    var reported: [LeaseID: LeaseChange] = [:]
    private var everReported: Set<LeaseID> = []
    private var listener: Listener?
    /// A listener that reads rarely.
    private var slow: Listener?
    private var slowRevision: UInt64 = 0
    private let disk: ScriptedDisk
    private let fault: @Sendable (String) -> Void

    init(displays: Int, on disk: ScriptedDisk, fault: @escaping @Sendable (String) -> Void) {
        panelQueues = (0..<displays).map { _ in ManualQueue() }
        self.disk = disk
        self.fault = fault
    }

    func start(
        _ screens: [Screen],
        cap: Brightness,
        transition: Duration,
        _ room: ExpectedAutomatic.Room?,
        restoresAtBoot: Bool,
        leaseID: @escaping @Sendable () -> LeaseID,
        _ clock: BootClock,
        queueLimit: Int,
        now: @escaping @Sendable () -> Moment
    ) throws {
        listener = hub.source.listen(to: Self.everything) { [weak self] in self?.read() }
        let journal = try JournalWriter(in: "/state", clock, on: journalQueue, disk: disk, poster: hub.poster, now: now)
        writer = journal
        sense(room, at: now())
        let curve = ExpectedAutomatic.default.sorted { $0.value < $1.value }.map { room, fraction in
            BrightnessCurve.Point(Illuminance(lux: room.lux)!, Brightness(clamping: fraction))
        }
        service = try DisplayService(
            screens.map(registration),
            .init(
                cap: cap,
                transition: transition,
                automatic: AutomaticRules(
                    hold: .milliseconds(ExpectedAutomatic.hold),
                    curve: BrightnessCurve(curve)!,
                    up: transition,
                    down: transition
                ),
                restoresAtBoot: restoresAtBoot,
                epoch: Epoch(number: 1),
                journal: DaemonJournal(daemon: self),
                earlier: journal.recovered,
                makeLeaseID: leaseID,
                queueLimit: queueLimit,
                now: now
            ),
            poster: hub.poster,
            source: hub.source,
            at: now()
        )
    }

    private func registration(of screen: Screen) -> DisplayService.PanelRegistration {
        let panel = DaemonPanel(screen: screen, daemon: self)
        return .init(
            screen.isPaired ? PairedPanel(panel.id, brightness: panel, power: DaemonSwitch(panel: panel)) : panel,
            on: panelQueues[screen.index],
            comesAndGoes: screen.comesAndGoes
        )
    }

    /// The panel is plugged in.
    func add(_ screen: Screen, at now: Moment) throws { try service?.add(registration(of: screen), at: now) }

    /// Starts the schedules and `idle`, which evaluate at once.
    ///
    /// - Parameters:
    ///   - keep: Called after a schedule was stored, or could not be.
    ///   - submit: Takes their commands.
    func startHolders(
        _ rules: [any Holder],
        clock: HolderService.Clock,
        keep: @escaping @Sendable (ResourceName, ScheduleRecord?) -> Void,
        submit: @escaping DisplayService.Submission
    ) {
        guard let service else { return }
        holders = HolderService(
            service,
            rules,
            journal: DaemonScheduleJournal(daemon: self, isKept: keep),
            on: holderQueue,
            source: hub.source,
            poster: hub.poster,
            clock: clock,
            submit: submit
        )
    }

    /// Lets them look at the clock and the displays.
    func evaluateHolders() {
        if let holders { holderQueue.enqueue { holders.evaluate() } }
        holderQueue.runAll()
    }

    /// Sets the light on the sensor; `nil` if it does not answer.
    func sense(_ room: ExpectedAutomatic.Room?, at now: Moment) {
        let ambient = Ambient(
            source: .sensor,
            illuminance: room.map { Illuminance(lux: $0.lux)! },
            level: nil,
            appearance: nil,
            sensors: [],
            at: now.wall
        )
        hub.poster.post(.ambient(ambient))
    }

    /// Counts an effect; returns `false` if the daemon is killed before it.
    func effect() -> Bool {
        guard isAlive else { return false }
        if let left = fuse {
            fuse = left - 1
            if left <= 0 { end() }
        }
        return isAlive
    }

    func end() {
        isAlive = false
        // First, so that nothing is written when the process's files are closed.
        disk.kill()
        // A worker and the list of displays retain each other while the process lives.
        for id in service?.displays ?? [] { service?.withdraw(own: id) }
        (service, writer, listener, slow) = (nil, nil, nil, nil)
        holders = nil
        // A job retains the owner of its queue.
        for queue in panelQueues + [journalQueue, holderQueue] { queue.removeAll() }
    }

    /// Runs a job of the journal. The file then has its records, unless the journal's health states otherwise.
    ///
    /// - Returns: Whether the job ended before the daemon did.
    func runJournal() -> Bool {
        guard journalQueue.count > 0, effect() else { return false }
        journalQueue.runOne()
        guard effect() else { return false }
        hasWritten = true
        return true
    }

    func isIdle(_ display: Int) -> Bool { panelQueues[display].count == 0 && journalQueue.count == 0 }

    // MARK: Notifications

    private func read() {
        guard isAlive else { return }
        for notification in listener?.drain() ?? [] {
            switch notification {
            case .state(let state):
                if state.revision.number <= revision { fault("revision \(state.revision.number) after \(revision)") }
                revision = state.revision.number
            case .lease(let event, let revision):
                if revision.number <= self.revision { fault("a lease's revision \(revision.number) is not new") }
                guard event.change.isEnd else { continue }
                if !everReported.insert(event.lease.id).inserted { fault("\(event.lease.id.text) ended twice") }
                reported[event.lease.id] = event.change
            case .journal(let health):
                self.health = health
            default: break
            }
        }
    }

    /// Reads like a slow client.
    func readSlowly() {
        if slow == nil { (slow, slowRevision) = (hub.source.listen(to: Self.everything) {}, 0) }
        for case .state(let state) in slow?.drain() ?? [] {
            if state.revision.number <= slowRevision {
                fault("a slow reader sees \(state.revision.number) after \(slowRevision)")
            }
            slowRevision = state.revision.number
        }
    }
}

/// The journal of one run. Waiting jobs retain the displays' workers, so workers must not retain the journal.
struct DaemonJournal: DisplayJournal {
    let daemon: Daemon

    func keep(_ record: DisplayRecord, safeFrom danger: Danger, completion: @escaping @Sendable () -> Void) {
        daemon.writer?.keep(record, safeFrom: danger, completion: completion)
    }

    func keepSoon(_ record: DisplayRecord) { daemon.writer?.keepSoon(record) }
}

/// The schedules' journal of one run.
struct DaemonScheduleJournal: RecordJournal {
    let daemon: Daemon
    let isKept: @Sendable (ResourceName, ScheduleRecord?) -> Void

    func store(_ document: [UInt8]?, _ key: RecordKey, completion: @escaping @Sendable () -> Void) {
        daemon.writer?.store(document, key) { [isKept] in
            isKept(ResourceName(key.name)!, document.flatMap { ScheduleRecord(kept: $0, under: key.name) })
            completion()
        }
    }
}

/// A panel as one run of the daemon sees it.
struct DaemonPanel: Panel {
    let screen: Screen
    let daemon: Daemon

    /// Whether the daemon reads the panel for the first time.
    private var isOpening: Bool { daemon.service?.state(of: id) == nil }

    var id: DisplayID { screen.panel.id }
    var name: String { screen.panel.name }
    var kind: DisplayKind { screen.panel.kind }
    var range: BrightnessRange { screen.panel.range }
    var isCheapToRead: Bool { screen.panel.isCheapToRead }
    var rounds: Bool { screen.panel.rounds }
    var isVolatile: Bool { screen.panel.isVolatile }
    var writesOnce: Bool { screen.panel.writesOnce }
    var isSwitchable: Bool { screen.panel.isSwitchable }
    var switchInterval: Duration { screen.panel.switchInterval }
    var changes: AsyncStream<Cause.Kind> { screen.panel.changes }
    var substituteStep: Int? { screen.panel.substituteStep }

    func awaitWriteInterval() { if daemon.isAlive { daemon.beginsBatch?(screen) } }

    var demandRefusal: DeviceError? {
        guard let refusal = screen.panel.demandRefusal else { return nil }
        screen.refuseDemand()
        return refusal
    }

    func read() throws(DeviceError) -> Int {
        if isOpening, daemon.isAlive { return try screen.panel.read() }
        guard daemon.effect() else { throw .absent(path: "") }
        return try screen.read()
    }

    func readPower() -> Bool? { isOpening ? screen.panel.readPower() : screen.readPower() }

    func writePower(_ isOn: Bool) throws(DeviceError) {
        guard daemon.effect() else { throw .absent(path: "") }
        defer { _ = daemon.effect() }
        if isOpening { try screen.light(isOn) } else { try screen.writePower(isOn) }
    }

    func write(_ step: Int) throws(DeviceError) {
        guard daemon.effect() else { throw .absent(path: "") }
        defer { _ = daemon.effect() }
        try screen.write(step)
    }
}

/// The device that switches a panel, as one run of the daemon sees it.
private struct DaemonSwitch: Panel {
    let panel: DaemonPanel

    var id: DisplayID { DisplayID("\(panel.id)-switch")! }
    var name: String { panel.name }
    var kind: DisplayKind { panel.kind }
    var range: BrightnessRange { panel.range }
    var isCheapToRead: Bool { true }
    var isVolatile: Bool { false }
    var isSwitchable: Bool { panel.isSwitchable }
    var switchInterval: Duration { panel.switchInterval }
    var changes: AsyncStream<Cause.Kind> { panel.changes }

    func readPower() -> Bool? { panel.readPower() }

    func read() throws(DeviceError) -> Int {
        guard panel.screen.isSwitchGone, panel.daemon.isAlive else { return panel.range.maximum }
        panel.screen.missSwitch()
        throw .absent(path: "/test")
    }

    func write(_ step: Int) throws(DeviceError) {}
    func writePower(_ isOn: Bool) throws(DeviceError) { try panel.writePower(isOn) }
}
