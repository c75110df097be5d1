// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The displays of this machine: takes commands, publishes states. Any thread.
///
/// ```
///   submit ──► DisplayWorker (one a display, on its panel's queue) ──► DisplayStateStore ──► NotificationHub
/// ```
package final class DisplayService: Sendable {
    package typealias Completion = @Sendable (Result<Answer, CommandError>) -> Void
    private typealias Display = (model: DisplayModel, worker: DisplayWorker, isOwed: Bool)

    package struct Configuration: Sendable {
        /// No lease raises a display above it.
        package var cap: Brightness
        /// How long a display takes to get where a command brings it, unless the command says.
        package var transition: Duration
        /// How displays follow the light.
        package var automatic: AutomaticRules
        package var epoch: Epoch
        /// Where what has to survive is kept; `nil` for memory only.
        package var journal: (any DisplayJournal)?
        /// What the journal has of an earlier run; `nil` if there may be something that could not be read.
        package var earlier: [DisplayID: RecoveredRecord]?
        package var makeLeaseID: @Sendable () -> LeaseID

        package init(
            cap: Brightness = .full,
            transition: Duration = .zero,
            automatic: AutomaticRules = AutomaticRules(),
            epoch: Epoch = .random(),
            journal: (any DisplayJournal)? = nil,
            earlier: [DisplayID: RecoveredRecord]? = [:],
            makeLeaseID: @escaping @Sendable () -> LeaseID = { .random() }
        ) {
            self.cap = cap
            self.transition = transition
            self.automatic = automatic
            self.epoch = epoch
            self.journal = journal
            self.earlier = earlier
            self.makeLeaseID = makeLeaseID
        }
    }

    /// A panel and the queue its reads and writes run on.
    package struct PanelRegistration: Sendable {
        package let panel: any Panel
        package let queue: any JobQueue
        /// Whether the display is not told of while its panel is unplugged. Others are told of as not available.
        package let comesAndGoes: Bool

        package init(_ panel: any Panel, on queue: any JobQueue, comesAndGoes: Bool = false) {
            self.panel = panel
            self.queue = queue
            self.comesAndGoes = comesAndGoes
        }
    }

    /// Commands are refused.
    let isEnding = Atomic(false)
    let watchdog = Mutex(QueueWatchdog())
    private let timer = DeadlineTimer()
    private let configuration: Configuration
    private let surroundings: DisplayWorker.Surroundings
    let source: NotificationSource?

    /// Reads each panel once, which may block, and puts right what an earlier run left raised.
    ///
    /// - Parameters:
    ///   - source: Where the light is posted; `nil` where nobody posts any.
    ///   - now: Read from a clock by the caller, here and in `submit`.
    /// - Throws: The first panel's error that cannot be read, other than that it is asleep; `.taken` for two panels of one id.
    package init(
        _ registrations: [PanelRegistration],
        _ configuration: Configuration = Configuration(),
        poster: NotificationPoster,
        source: NotificationSource? = nil,
        at now: Moment
    ) throws(DeviceError) {
        self.configuration = configuration
        self.source = source
        surroundings = DisplayWorker.Surroundings(
            store: DisplayStateStore(poster: poster),
            poster: poster,
            holders: HolderConnections(),
            light: { source?.light },
            journal: configuration.journal,
            makeLeaseID: configuration.makeLeaseID
        )
        // All are read before any is told of, so that a failure tells nobody anything.
        var displays: [Display] = []
        for registration in registrations { displays.append(try open(registration, at: now)) }
        for display in displays { try admit(display, at: now) }
    }

    package var epoch: Epoch { configuration.epoch }
    var store: DisplayStateStore { surroundings.store }
    var holders: HolderConnections { surroundings.holders }

    /// Reads a panel for the first time.
    private func open(_ registration: PanelRegistration, at now: Moment) throws(DeviceError) -> Display {
        let earlier = configuration.earlier?[registration.panel.id]
        let model = try DisplayModel(opening: registration.panel, configuration, goingOnFrom: earlier, at: now)
        let worker = DisplayWorker(
            registration,
            model: model,
            in: surroundings,
            goingOnFrom: earlier,
            isEarlierKnown: configuration.earlier != nil
        )
        return (model, worker, isOwed: earlier != nil || model.fault != nil)
    }

    /// A display that came while the daemon runs. It goes on where an earlier run ended, if there was one. A mirrored display
    /// of the same id gives way to it.
    ///
    /// Reads the panel once, which may block.
    /// - Throws: The panel's error, or `.taken` when another display of this machine has the id.
    package func add(_ registration: PanelRegistration, at now: Moment) throws(DeviceError) { try admit(try open(registration, at: now), at: now) }

    private func admit(_ display: Display, at now: Moment) throws(DeviceError) {
        try store.add(display.model, display.worker)
        // What an earlier run left raised is put right; what is asleep is looked at again.
        if display.isOwed { submit(Command(.tick, transition: .zero), to: display.model.id, at: now) { _ in } }
    }

    /// Removes a display of this machine, such as a stand-in for one that is here now. Nothing of it is kept, its commands
    /// fail, and it comes back only by `add`. A mirrored display of that id stays.
    package func withdraw(own id: DisplayID) { store.withdraw(id) { $0.isOwn } }

    /// Every display that is known, in the order in which they came: also one of this machine that is unplugged.
    package var displays: [DisplayID] { store.displays }

    /// The state of every display that is here, in a fixed order, and the newest revision of any.
    package var all: (revision: Revision, states: [DisplayState]) { store.all }

    /// The newest revision of any display. Costs one atomic load.
    package var revision: Revision { store.revision }

    /// The state of the first display that is here; if none is, of the first that is unplugged.
    package var first: DisplayState? { store.first }

    /// Also of one that is unplugged: it is not available. `nil` for one that was withdrawn.
    package func state(of id: DisplayID) -> DisplayState? { store[id]?.state }

    /// The leases in force on a display, and which have ended.
    package func boosts(of id: DisplayID) -> LeaseTable? { store[id]?.boosts }

    /// How many steps its panel took since the daemon began, and how many it did not; of one that sleeps nothing is asked.
    /// `nil` for a display of another machine.
    package func writes(of id: DisplayID) -> (done: Int, failed: Int)? {
        store.owner(of: id)?.worker?.writes
    }

    /// Carries out a command for one display.
    ///
    /// `completion` is called exactly once: on this thread if the panel's queue is immediate and nobody else is at it,
    /// else on the thread that is.
    package func submit(
        _ command: Command,
        to id: DisplayID,
        at now: Moment,
        completion: @escaping Completion
    ) {
        guard let owner = store.owner(of: id) else { return completion(.failure(.unknownDisplay)) }
        if isEnding.load(ordering: .acquiring) { return completion(.failure(.stopping)) }
        if case .mirror = owner, let refusal = refusal(of: command, for: id) {
            return completion(.failure(.lease(refusal)))
        }
        owner.executor.submit(command, at: now) { [timer, store] result in
            // A command that was rejected has done nothing about a deadline that is over.
            if case .failure(.busy) = result {} else { timer.set(for: store.deadline(of: id)) }
            completion(result)
        }
    }

    /// As above, for tasks.
    package func perform(_ command: Command, on id: DisplayID, at now: Moment) async -> Result<Answer, CommandError> {
        await withCheckedContinuation { continuation in
            submit(command, to: id, at: now) { continuation.resume(returning: $0) }
        }
    }

    /// A holder opened a stream: its `visible` leases are safe until the last one is closed.
    package func streamOpened(by holder: String, of principal: Principal, at now: Moment) {
        if holders.opened(holder, of: principal) { notifyPresence(of: holder, principal, at: now) }
    }

    /// A holder's stream is closed. After its last one its `visible` leases have `LeaseTable.grace` left.
    package func streamClosed(by holder: String, of principal: Principal, at now: Moment) {
        if holders.closed(holder, of: principal) { notifyPresence(of: holder, principal, at: now) }
    }

    /// The command does not say which of the two happened, so the order in which two of them arrive does not matter.
    ///
    /// Mirrored displays are not asked: their leases are another daemon's.
    private func notifyPresence(of holder: String, _ principal: Principal, at now: Moment) {
        let command = Command(.presence(holder: holder), asker: Asker(principal, isAdmin: false))
        for (id, _) in store.workers { submit(command, to: id, at: now) { _ in } }
    }

    /// The wall clock was set: the displays of this machine report the ends of leases and holds by what it shows now.
    package func clockWasSet(at now: Moment) {
        for (_, worker) in store.workers { worker.submit(Command(.clockSet), at: now) { _ in } }
    }

    /// Ends leases in time, goes on with transitions and tries panels with a fault again, until the task is cancelled.
    ///
    /// - Parameter now: Reads the clocks; called whenever a deadline may have come.
    package func runDeadlines<C: Clock<Duration>>(
        on clock: C,
        now: @Sendable () -> Moment
    ) async where C.Instant == Instant {
        for await _ in timer.rings {
            timer.answer()
            let moment = now()
            tick(at: moment)
            timer.sleep(until: store.nextDeadline(after: moment.instant), on: clock)
        }
    }

    /// Nobody waits for a panel here: one that hangs must not keep the leases of others from ending.
    func tick(at now: Moment) {
        for id in store.displays(dueAt: now.instant) {
            store.owner(of: id)?.worker?.tick(at: now) { [timer, store] _ in timer.set(for: store.deadline(of: id)) }
        }
    }

    /// Reads a panel whenever it says that somebody else may have changed it, until the panel or the task ends, or the display
    /// is withdrawn.
    package func watch(_ panel: any Panel, now: @Sendable () -> Moment) async {
        for await kind in panel.changes {
            let result = await perform(Command(.refresh(as: kind)), on: panel.id, at: now())
            if case .failure(.unknownDisplay) = result { return }
        }
    }
}

extension DisplayModel {
    /// A display as its panel is now. One that is asleep can be told of, and gets what it should show when it is awake.
    fileprivate init(
        opening panel: any Panel,
        _ configuration: DisplayService.Configuration,
        goingOnFrom earlier: RecoveredRecord?,
        at now: Moment
    ) throws(DeviceError) {
        func model(showing step: Int) -> DisplayModel {
            DisplayModel(
                panel,
                showing: step,
                cap: configuration.cap,
                transition: configuration.transition,
                automatic: configuration.automatic,
                goingOnFrom: earlier,
                at: now
            )
        }
        do {
            self = model(showing: try panel.read())
        } catch .asleep(_, let step?) {
            self = model(showing: step)
            failed(.gone, at: now)
        }
    }
}
