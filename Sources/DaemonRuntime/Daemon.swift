// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Glibc
import HTTPServer
import Journal
import LightDevices
import MQTT
import MQTTBridge
import Support
import WebAPI

/// The daemon: opens its parts in order, runs them, and stops them.
package struct Daemon {
    /// The daemon cannot start. The reason is in the log.
    package struct StartFailure: Error {}

    let displays: DisplayService
    let server: Server
    /// The services apart from the shards and the broker's thread, in the order of their start.
    let services: [any Service]
    private let opened: OpenedDisplays
    private let monitors: MonitorSource
    private let settings: Settings
    private let history: HistoryRecorder
    private let records: JournalWriter?
    private let broker: MQTTConnection?
    private let healthLog: HealthLog
    private let changeLog: ChangeLog
    private let systemd: SystemdService
    private let logger: Logger
    private let version: String

    /// Serves until SIGTERM or SIGINT, then ends the process.
    ///
    /// - Throws: `OptionError`; `StartFailure`; an error of a panel or of the system.
    package static func run(_ options: OptionTexts, version: String) throws {
        // Before anything that a signal must not interrupt.
        let signals = try StopSignals()
        let start = MachineClock.moment().wall
        let settings = try Settings(options, inherited: SystemdService.inheritedSockets())
        if let zone = settings.timeZone { LocalTime.use(zone) }
        let log = DaemonLog(to: DaemonLog.standardError(settings.logFormat), now: { MachineClock().now })
        defer { log.flush() }

        // A file-size limit then is an error like a full disk, and does not end the process.
        signal(SIGXFSZ, SIG_IGN)
        // OpenSSL writes to a socket without MSG_NOSIGNAL. A broker that ends its connection must not end this process.
        signal(SIGPIPE, SIG_IGN)

        let logger = log.logger(level: settings.logLevel)
        for warning in OptionTexts.warnings(about: ProcessVariables.names) { logger.warning("\(warning)") }
        let daemon = try Daemon(settings, version: version, since: start, hangups: signals.hangups, logger)
        // The services end with the process. A stop does not wait for them, so a hanging one does not delay it.
        for service in daemon.services { Task { await service.run() } }
        daemon.ready()
        signals.awaitStop()
        daemon.stop()
        log.flush()
        // Exit handlers might wait for a thread that hangs.
        _exit(EXIT_SUCCESS)
    }

    /// Starts the parts in the order of the drawing in `docs/explanation/architecture.md`: journal and devices → core →
    /// server → broker.
    ///
    /// - Parameters:
    ///   - start: When the process was started.
    ///   - hangups: One element for one or more SIGHUPs.
    ///   - send: Sends a state to systemd.
    init(
        _ settings: Settings,
        version: String,
        since start: Timestamp,
        hangups: AsyncStream<Void>,
        _ logger: Logger,
        sendToSystemd send: (@Sendable (String) -> Int32)? = nil
    ) throws {
        let hub = NotificationHub(health: Health(needsDisplay: settings.display != [.none]))
        healthLog = HealthLog(hub.source, logger)
        changeLog = ChangeLog(hub.source, since: start, logger)

        // Before the state directory is created: a daemon without its tokens does not start.
        let tokens = try Self.explained(logger) { () throws(TokenService.Failure) in
            try settings.tokenFile.map { file throws(TokenService.Failure) in
                try TokenService.open(file, groups: settings.groups, logger)
            }
        }

        // First: a daemon that cannot lock the state directory must not touch a display.
        let records = try Self.explained(logger) { () throws(StateDirectory.Failure) in
            try settings.stateDirectory.map { directory throws(StateDirectory.Failure) in
                try JournalWriter(
                    in: directory,
                    on: SerialQueue("journal"),
                    poster: hub.poster,
                    now: MachineClock.moment
                )
            }
        }
        logger.info("state directory: \(settings.stateDirectory ?? "none; boosts are kept in memory only")")
        // The history is stored with the records; without a state directory, in memory.
        let journal =
            records ?? JournalWriter(inMemory: .ofThisMachine(), on: SerialQueue("journal"), now: MachineClock.moment)

        let watch = PanelWatch(DeviceWatch(), source: hub.source)
        let monitors = MonitorSource(
            sysfsRoot: settings.sysfsRoot,
            writesPerDay: settings.ddcWritesPerDay,
            switchable: Set(settings.ddcPower),
            source: hub.source,
            now: MachineClock.moment
        )
        let opened = try Self.open(settings, watch, monitors, logger)

        let displays = try DisplayService(
            opened.registrations,
            .init(
                cap: settings.boostCap,
                transition: settings.transition,
                automatic: settings.automatic,
                tags: settings.broker?.tags ?? [],
                defaultDisplay: settings.defaultDisplay,
                journal: records,
                earlier: journal.recovered,
                now: MachineClock.moment
            ),
            poster: hub.poster,
            source: hub.source,
            at: MachineClock.moment()
        )
        let room =
            opened.simulated.isEmpty
            ? nil : SimulatedRoom(opened.simulated, poster: hub.poster) { MachineClock().now }
        let history = HistoryRecorder(
            journal,
            hub.source,
            leases: { displays.leases(of: $0)?.all },
            now: MachineClock.moment
        )

        let resumes = ResumeDetector(poster: hub.poster, slept: MachineClock.slept)
        let planner = SchedulePlanner(LocalTime(), location: settings.location)
        var rules: [any Holder] = [Schedules(planner, journal.recoveredSchedules)]
        if !settings.idle.isEmpty { rules.append(Idle(settings.idle, at: MachineClock.moment())) }
        if let time = settings.presenceWake { rules.append(Presence(wakingFor: time)) }
        let holders = HolderService(
            displays,
            rules,
            journal: journal,
            on: SerialQueue("holders"),
            source: hub.source,
            poster: hub.poster,
            clock: .ofThisMachine(newestTime: journal.newestTime, resumes)
        )
        let reports = LightReports(poster: hub.poster)
        let metrics = DaemonMetrics(displays, hub.source, journal: records, version: version, since: start)
        let viewers = ViewerCount(poster: hub.poster)
        let logRefusal: @Sendable (String) -> Void = { line in logger.debug("\(line)") }
        let web = WebApplication.Configuration(
            access: settings.access(for: tokens),
            groups: settings.groups,
            viewers: viewers,
            holders: holders,
            simulator: room,
            lightReports: reports,
            metrics: metrics,
            writeLimit: WriteLimit(settings.writesPerSecond),
            logRefusal: logger.level <= .debug ? logRefusal : nil,
            now: MachineClock.moment
        )
        let server = try Self.explained(logger) { () throws(ServerError) in
            try Server(settings.server) { inbox in
                WebApplication(displays, source: hub.source, history: history, configuration: web, inbox: inbox)
            }
        }
        metrics.observe(server)

        broker = try settings.broker.map { broker in
            try Self.connect(to: broker, settings, version: version, displays, reports, hub, viewers, logger)
        }

        var systemd = SystemdService(
            ping: { await server.echo() },
            stuckDisplays: { displays.stuckDisplays(at: $0) },
            logger: logger
        )
        if let send { systemd.send = send }
        let upkeep = DisplayUpkeepService(displays: displays, opened: opened, source: hub.source, logger: logger)
        let devices = try LightDevices(settings.lightSensor, version: version, now: { MachineClock().now }) { line in
            switch line {
            case .reads(let id): logger.info("light sensor \(id): it is read")
            case .fails(let id, let reason): logger.warning("light sensor \(id): no reading, because \(reason)")
            }
        }
        let finder = SensorFinder(root: settings.sysfsRoot, watch: watch, poster: hub.poster)
        let own: [any SensorSource] = room.map { [$0, finder] } ?? [finder]
        let sensors = SensorDirectory(own: own, elsewhere: [devices, reports])
        let light = LightService(
            room: room,
            devices: devices,
            sensors: sensors,
            ambient: AmbientService(
                sensors,
                standIn: settings.defaultDisplay,
                on: SerialQueue("sensors"),
                source: hub.source,
                poster: hub.poster
            ),
            source: hub.source,
            displays: displays,
            logger: logger
        )
        let tokenService = TokenService(
            file: settings.tokenFile,
            groups: settings.groups,
            tokens: tokens,
            hangups: hangups,
            logger: logger
        )
        let input = InputService(
            isNeeded: !settings.idle.isEmpty,
            sysfsRoot: settings.sysfsRoot,
            poster: hub.poster,
            logger: logger
        )
        let presence = PresenceUpkeepService(
            isNeeded: settings.presenceWake != nil,
            sensors: sensors,
            source: hub.source,
            poster: hub.poster,
            logger: logger
        )
        let clock = ClockService(poster: hub.poster, resumes: resumes)
        services = [journal, history, clock, upkeep, light, holders, input, presence, tokenService, systemd]

        (self.settings, self.version, self.logger) = (settings, version, logger)
        (self.displays, self.opened, self.monitors, self.server) = (displays, opened, monitors, server)
        (self.history, self.records, self.systemd) = (history, records, systemd)
    }

    /// Notifies systemd and logs the addresses.
    func ready() {
        systemd.ready()
        let displays = opened.registrations.map(\.panel.id.text).joined(separator: ", ")
        logger.notice("brightnessd \(version), displays: \(displays.isEmpty ? "none" : displays)")
        logger.notice(
            "serving at \((server.addresses.map { "http://\($0)" } + server.paths).joined(separator: " and "))"
        )
    }

    func stop() {
        systemd.stopping()
        Shutdown(
            clients: server,
            displays: displays,
            monitors: monitors,
            broker: broker,
            history: history,
            records: records,
            onExit: settings.onExit,
            logger: logger
        ).run()
        healthLog.end()
        changeLog.end()
        logger.notice("stopped")
    }

    private static func open(
        _ settings: Settings,
        _ watch: PanelWatch,
        _ monitors: MonitorSource,
        _ logger: Logger
    ) throws -> OpenedDisplays {
        let opened = try explained(logger) { () throws(SelectionError) in
            try openDisplays(
                settings.display,
                excluding: Set(settings.excludeDisplay),
                sysfsRoot: settings.sysfsRoot,
                minimum: settings.minBrightness,
                watch: watch,
                monitors: monitors
            )
        }
        for note in opened.notices { logger.log(level: note.isWarning ? .warning : .notice, "\(note)") }
        if let id = settings.defaultDisplay, !opened.includes(id), settings.broker?.mirrors.isEmpty ?? true {
            throw OptionError("--default-display \(id) is not a served display")
        }
        return opened
    }

    /// Connects to the broker. The connection's thread then publishes states and accepts commands.
    private static func connect(
        to broker: BrokerSettings,
        _ settings: Settings,
        version: String,
        _ displays: DisplayService,
        _ reports: LightReports,
        _ hub: NotificationHub,
        _ viewers: ViewerCount,
        _ logger: Logger
    ) throws -> MQTTConnection {
        let connection = try MQTTConnection(broker.connection)
        let logRefusal: @Sendable (String) -> Void = { logger.debug("MQTT: \($0)") }
        let configuration = Bridge.Configuration(
            topics: broker.topics,
            discovery: broker.discovery,
            mirrors: broker.mirrors,
            mirrorLimit: broker.mirrorLimit,
            version: version,
            viewers: viewers,
            writeQuota: settings.commandQuota,
            groups: settings.groups,
            lightReports: reports,
            now: MachineClock.moment,
            log: { logger.info("MQTT: \($0)") },
            logRefusal: logger.level <= .debug ? logRefusal : nil
        )
        try connection.start {
            Bridge(displays, source: hub.source, poster: hub.poster, configuration) { connection.wake() }
        }
        return connection
    }

    /// Logs a thrown error before it ends the start.
    private static func explained<Result, Failure: Error & CustomStringConvertible>(
        _ logger: Logger,
        _ body: () throws(Failure) -> Result
    ) throws(StartFailure) -> Result {
        do {
            return try body()
        } catch {
            logger.critical("\(error)")
            throw StartFailure()
        }
    }
}
