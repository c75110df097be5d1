// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The displays of this machine and of mirrored daemons: accepts commands and publishes states. Any thread.
///
/// ```
///   submit ──► DisplayWorker (one a display, on its panel's queue) ──► DisplayStateStore ──► NotificationHub
/// ```
package final class DisplayService: Sendable {
    package typealias Completion = @Sendable (Result<CommandSuccess, CommandError>) -> Void
    /// The type of `submit`.
    package typealias Submission = @Sendable (Command, DisplayID, Moment, @escaping Completion) -> Void
    package typealias ListCompletion = @Sendable (DisplayID, Result<CommandSuccess, CommandError>) -> Void
    private typealias Display = (model: DisplayModel, worker: DisplayWorker, needsTick: Bool)

    /// `true` once all commands are rejected.
    let isEnding = Atomic(false)
    /// The displays whose queue has not answered a ping, and since when.
    let pinged = Mutex<[DisplayID: Instant]>([:])
    private let configuration: Configuration
    /// The displays that others follow.
    private let leaders: Set<DisplayID>
    /// The records of the earlier run and of retired displays, without those of displays that will not return.
    private let earlier: Mutex<[DisplayID: RecoveredRecord]>
    let dependencies: DisplayWorker.Dependencies
    let source: NotificationSource?

    /// Reads each panel once, which may block, and restores panels that an earlier run left raised.
    ///
    /// - Parameters:
    ///   - source: Publishes the ambient light; `nil` without one.
    ///   - now: The current time. The caller reads the clock, here and in `submit`.
    /// - Throws: The error of the first unreadable panel, except that it is asleep; `.taken` for two panels with one
    ///   id.
    package init(
        _ registrations: [PanelRegistration],
        _ configuration: Configuration = .standard,
        poster: NotificationPoster,
        source: NotificationSource? = nil,
        at now: Moment
    ) throws(DeviceError) {
        self.configuration = configuration
        leaders = Set(configuration.leaders.values)
        self.source = source
        earlier = Mutex(configuration.earlier ?? [:])
        let recorded = (configuration.earlier ?? [:]).mapValues(\.record.settings).filter { $1 != .none }
        dependencies = DisplayWorker.Dependencies(
            store: DisplayStateStore(
                poster: poster,
                defaultDisplay: configuration.defaultDisplay,
                settings: configuration.settings.merging(recorded) { _, recorded in recorded }
            ),
            poster: poster,
            holders: HolderConnections(),
            light: { source.map { ($0.light, $0.lacksLight) } ?? (nil, false) },
            now: configuration.now,
            queueLimit: configuration.queueLimit,
            journal: configuration.journal,
            makeLeaseID: configuration.makeLeaseID
        )
        // All panels are read before any is published, so that a failure publishes nothing.
        var displays: [Display] = []
        for registration in registrations { displays.append(try open(registration, at: now)) }
        for display in displays { try admit(display, at: now) }
    }

    package var epoch: Epoch { configuration.epoch }
    var store: DisplayStateStore { dependencies.store }
    var holders: HolderConnections { dependencies.holders }

    /// Reads a panel for the first time and creates its display. Lights a panel that an earlier run switched off and
    /// this one cannot switch.
    private func open(_ registration: PanelRegistration, at now: Moment) throws(DeviceError) -> Display {
        let (id, owner) = (registration.panel.id, registration.panel.principal)
        let known = earlier.withLock { $0[id] }
        var earlier = known?.record.owner == owner ? known : nil
        let isOthers = known != nil && earlier == nil
        let settings = isOthers ? DisplaySettings.none : (store.settings[id] ?? DisplaySettings.none)
        // The settings may have changed while the display was absent.
        earlier?.record.settings = settings
        let model = try DisplayModel(
            opening: registration.panel,
            configuration,
            settings,
            goingOnFrom: earlier,
            at: now
        )
        // The new display has the id from now on.
        if isOthers { forget(id, of: known?.record.owner) }
        let worker = DisplayWorker(
            registration,
            model: model,
            in: dependencies,
            goingOnFrom: earlier,
            isEarlierKnown: configuration.earlier != nil
        )
        return (model, worker, needsTick: earlier != nil || model.fault != nil || model.principal != nil)
    }

    /// Adds a display while the daemon runs. Continues from the record of an earlier run, if there is one. Replaces a
    /// mirrored display with the same id.
    ///
    /// A panel of the machine also replaces one of a client with the same id, whose leases end.
    ///
    /// Reads the panel once, which may block.
    /// - Throws: The panel's error, or `.taken` if another display of this machine has the id.
    package func add(_ registration: PanelRegistration, at now: Moment) throws(DeviceError) {
        try admit(try open(registration, at: now), at: now)
    }

    private func admit(_ display: Display, at now: Moment) throws(DeviceError) {
        let (id, settings) = (display.model.id, try store.add(display.model, display.worker))
        // Somebody has set them while the panel was read.
        if settings != display.model.settings { _ = configure(id, as: settings, by: nil, at: now) {} }
        // Restores a panel that an earlier run left raised; retries one that is asleep; stores a client's.
        if display.needsTick { submit(Command(.tick, transition: .zero), to: id, at: now) { _ in } }
    }

    /// Removes a display of this machine, such as a simulated one after a real one was found. Its commands fail, and it
    /// returns only with `add`. Does not remove a mirrored display with the same id.
    package func withdraw(own id: DisplayID) { store.withdraw(id) { $0.isOwn } }

    /// Withdraws a display after its leases were released: nobody waits for their end, and no later start restores
    /// them. So the panel is switched and written without a pause, and later commands fail.
    ///
    /// - Parameter completion: Called once it is withdrawn.
    package func retire(
        own id: DisplayID,
        because reason: String,
        at now: Moment,
        completion: @escaping @Sendable () -> Void = {}
    ) {
        guard let worker = store.owner(of: id)?.worker else { return completion() }
        let release = Command(.restoreAll(), by: "brightnessd", reason: reason, transition: .zero)
        worker.submitLast(release, rejectingLater: .unknownDisplay, at: now) { [self] _ in
            // A simulated display may come back.
            if let record = worker.lastRecord {
                earlier.withLock { $0[id] = RecoveredRecord(record, isOfThisBoot: true) }
            }
            withdraw(own: id)
            completion()
        }
    }

    /// Forgets the record of a display that was withdrawn and will not return: neither this run nor a later one
    /// continues from it. A record of another owner stays.
    ///
    /// - Parameter owner: The principal that provided the display; `nil` for the machine.
    package func forget(_ id: DisplayID, of owner: Principal?) {
        if store.owner(of: id)?.isOwn == true { return }
        let isOthers = earlier.withLock { earlier in
            if let record = earlier[id]?.record, record.owner != owner { return true }
            earlier[id] = nil
            return false
        }
        if isOthers { return }
        store.set(nil, ofAbsent: id)
        configuration.journal?.forget(id)
    }

    /// Whether a client of a principal may provide a display with this id: no display has it, and no record of the
    /// machine or of another principal. A display of the machine that is not there now keeps its record.
    package func mayProvide(_ id: DisplayID, as principal: Principal) -> Bool {
        guard store.owner(of: id) == nil else { return false }
        return earlier.withLock { $0[id].map { $0.record.owner == principal } ?? true }
    }

    /// Every known display in the order of arrival, including unplugged displays of this machine.
    package var displays: [DisplayID] { store.displays }

    /// The number of known displays. Does not look at them.
    package var count: Int { store.count }

    /// The state of every present display in a fixed order, and the newest revision.
    package var all: (revision: Revision, states: [DisplayState]) { store.all }

    /// The state of every present display of this machine, in the order of arrival. Its cost does not depend on the
    /// number of mirrored displays.
    package var own: [DisplayState] { store.own }

    /// Whether a display is simulated, so that the simulated room takes the place of the machine's sensors.
    package var hasSimulated: Bool { own.contains { $0.kind == .simulated } }

    /// Every display of this machine, including unplugged ones.
    package var ownIDs: [DisplayID] { store.workers.map(\.id) }

    /// The newest revision of any display. Costs one atomic load.
    package var revision: Revision { store.revision }

    /// The state of the default display, which `DisplayStateStore` chooses.
    package var defaultState: DisplayState? { store.defaultState }

    /// The state of a display; unavailable while it is unplugged, `nil` after it was withdrawn.
    package func state(of id: DisplayID) -> DisplayState? { store[id]?.state }

    /// The display's leases in force, and the ids of its ended leases.
    package func leases(of id: DisplayID) -> LeaseTable? { store[id]?.leases }

    /// The lease of a display with this id, which the requester may use.
    package func lease(_ lease: LeaseID, of id: DisplayID, for requester: Requester?) throws(LeaseError) -> Lease {
        try (leases(of: id) ?? LeaseTable(display: id)).lease(lease, for: requester)
    }

    /// The brightness that a person chose in each light, the newest last; `nil` for a display of another machine.
    package func lessons(of id: DisplayID) -> [BrightnessCurve.Point]? { store[id]?.lessons }

    /// The display's settings and its device's own name; `nil` for a display of another machine.
    package func settings(of id: DisplayID) -> (DisplaySettings, deviceName: String)? { store[id]?.settings }

    /// Sets all settings of a display of this machine, or of one that is absent.
    ///
    /// - Parameter completion: Called once, after that was stored; not for an absent display, whose settings the caller
    ///   stores.
    /// - Returns: Whether the display is there.
    func configure(
        _ id: DisplayID,
        as settings: DisplaySettings,
        by name: String?,
        at now: Moment,
        completion: @escaping @Sendable () -> Void
    ) -> Bool {
        guard let worker = store.owner(of: id)?.worker else {
            store.set(settings == .none ? nil : settings, ofAbsent: id)
            return false
        }
        worker.submit(Command(.configure(settings.change), by: name), at: now) { _ in completion() }
        return true
    }

    /// The numbers of successful and failed writes since the daemon started. A sleeping panel is not written. `nil` for
    /// a display of another machine.
    package func writes(of id: DisplayID) -> (done: Int, failed: Int)? {
        store.owner(of: id)?.worker?.writes
    }

    /// Executes a command for one display.
    ///
    /// `completion` is called exactly once: on this thread if the panel's queue is immediate and idle, else on the
    /// thread that executes its commands.
    package func submit(
        _ command: Command,
        to id: DisplayID,
        at now: Moment,
        completion: @escaping Completion
    ) {
        submit(command, to: id, of: store.owner(of: id), at: now, completion: completion)
    }

    private func submit(
        _ command: Command,
        to id: DisplayID,
        of owner: DisplayStateStore.Owner?,
        at now: Moment,
        in turn: CommandTurn? = nil,
        completion: @escaping Completion
    ) {
        guard let owner else { return completion(.failure(.unknownDisplay)) }
        if isStopping { return completion(.failure(.stopping)) }
        switch owner {
        case .worker(let worker): worker.submit(command, at: now, in: turn, completion: completion)
        case .mirror(let executor):
            if let refusal = refusal(of: command, for: id) { return completion(.failure(.lease(refusal))) }
            executor.submit(command, to: [id], at: now) { completion($1) }
        }
    }

    /// Executes a command for several displays. Mirrored ones get it together. Followers get it before their leaders,
    /// so before what they have to follow.
    ///
    /// - Parameters:
    ///   - turn: The turn in which it is executed; `nil` to execute it at once.
    ///   - completion: Called exactly once for each display, as the one of `submit(_:to:at:completion:)`.
    package func submit(
        _ command: Command,
        to ids: [DisplayID],
        at now: Moment,
        in turn: CommandTurn? = nil,
        completion: @escaping ListCompletion
    ) {
        var batches: [(executor: any CommandExecutor, ids: [DisplayID])] = []
        let leaders = self.leaders.isEmpty ? [] : self.leaders.intersection(ids)
        let ordered = leaders.isEmpty ? ids : ids.filter { !leaders.contains($0) } + leaders
        for id in ordered {
            let owner = store.owner(of: id)
            guard case .mirror(let executor)? = owner, !isStopping, refusal(of: command, for: id) == nil else {
                // A display of this machine, or a command that is rejected.
                submit(command, to: id, of: owner, at: now, in: turn) { completion(id, $0) }
                continue
            }
            if let index = batches.firstIndex(where: { $0.executor === executor }) {
                batches[index].ids.append(id)
            } else {
                batches.append((executor, [id]))
            }
        }
        for batch in batches { batch.executor.submit(command, to: batch.ids, at: now, completion: completion) }
    }

    /// Reports that somebody is there, although no display was changed.
    package func reportActivity() { dependencies.poster.post(.activity) }

    /// The asynchronous form of `submit`.
    package func perform(
        _ command: Command,
        on id: DisplayID,
        at now: Moment
    ) async -> Result<CommandSuccess, CommandError> {
        await withCheckedContinuation { continuation in
            submit(command, to: id, at: now) { continuation.resume(returning: $0) }
        }
    }
}

extension DisplayModel {
    /// Creates a display from its panel. A sleeping panel's display is published, and the panel is written when it is
    /// awake.
    fileprivate init(
        opening panel: any Panel,
        _ configuration: DisplayService.Configuration,
        _ settings: DisplaySettings,
        goingOnFrom earlier: RecoveredRecord?,
        at now: Moment
    ) throws(DeviceError) {
        func model(showing step: Int) -> DisplayModel {
            DisplayModel(
                panel,
                showing: step,
                isOn: panel.readPower(),
                configuration,
                settings: settings,
                goingOnFrom: earlier,
                at: now
            )
        }
        let recorded = earlier?.record.scaled(to: panel.range.maximum).baselineStep
        do {
            self = model(showing: try panel.read())
        } catch .asleep(_, let step?) {
            self = model(showing: step)
            startSilent(at: now)
        } catch .abandoned(let id, let reported) {
            // Its client has not returned since the earlier run. A pair shows what its present part reports.
            let step = panel.hasParts ? (reported ?? recorded) : (recorded ?? reported)
            guard let step else { throw .abandoned(id) }
            self = model(showing: step)
            let since = earlier?.record.provided?.goneSince
            failed(.gone, isFirst: since == nil, isAbandoned: true, since: since, at: now)
        } catch .unplugged(_, let reported) {
            // It may be plugged in later. Only a pair has a brightness then.
            self = model(showing: reported ?? recorded ?? panel.range.maximum)
            failed(.gone, isFirst: true, at: now)
            isUnplugged = true
        }
        // An earlier run switched it off and this one may not switch it. Nobody is left in the dark by an option.
        if power.needsLight, (try? panel.writePower(true)) != nil { power.lit() }
    }
}
