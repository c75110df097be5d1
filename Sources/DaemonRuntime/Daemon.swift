// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import CLinux
import Devices
import ESPHome
import Glibc
import HTTPServer
import Journal
import MQTT
import Support
import WebAPI

/// The daemon: opens its parts in order, runs them, and stops them.
package struct Daemon {
    /// The daemon cannot start. The reason is in the log.
    package struct StartFailure: Error {}

    let displays: DisplayService
    let server: Server
    /// The tasks apart from the threads of shards and sessions, in the order of their start.
    let tasks: [any BackgroundTask]
    private let opened: OpenedDisplays
    private let shutdown: Shutdown
    private let input: InputWatch?
    private let healthLog: HealthLog
    private let changeLog: ChangeLog
    private let systemd: SystemdTask
    private let logger: Logger

    /// Checks the options and the files that they name, as a start does, and opens nothing else.
    ///
    /// - Throws: `OptionError`; `StartFailure`.
    package static func check(_ options: OptionTexts) throws {
        let (settings, log, logger) = try configure(options)
        defer { log.flush() }
        let hub = NotificationHub()
        let make = Assembly(
            settings: settings,
            version: "",
            logger: logger,
            source: hub.source,
            poster: hub.poster
        )
        _ = try make.tokens()
        _ = try make.configuration()
        _ = try make.serverKey()
    }

    /// Reads the options, and begins the log with warnings about unknown variables.
    private static func configure(_ options: OptionTexts) throws -> (Settings, DaemonLog, Logger) {
        let settings = try Settings(options, inherited: SystemdTask.inheritedSockets())
        if let zone = settings.presence.timeZone { LocalTime.use(zone) }
        let log = DaemonLog(to: DaemonLog.standardError(settings.system.logFormat), now: { MachineClock().now })
        let logger = log.logger(level: settings.system.logLevel)
        for warning in OptionTexts.warnings(about: OptionTexts.variableNames) { logger.warning("\(warning)") }
        return (settings, log, logger)
    }

    /// Serves until SIGTERM or SIGINT, then ends the process.
    ///
    /// - Throws: `OptionError`; `StartFailure`; an error of a panel or of the system.
    package static func run(_ options: OptionTexts, version: String) throws {
        // Before anything that a signal must not interrupt.
        let signals = try StopSignals()
        let start = MachineClock.moment().wall
        // Large arrays go back to the system. Otherwise the first free of one ends that, and each thread keeps some.
        mallopt(M_MMAP_THRESHOLD, 131_072)
        // A file-size limit then is an error like a full disk, and does not end the process.
        signal(SIGXFSZ, SIG_IGN)
        // OpenSSL writes to a socket without MSG_NOSIGNAL. A broker that ends its connection must not end this process.
        signal(SIGPIPE, SIG_IGN)
        // Log rotation sends it to some daemons, and it must not end this one.
        signal(SIGUSR1, SIG_IGN)

        let (settings, log, logger) = try configure(options)
        defer { log.flush() }
        logger.notice("brightnessd \(version)")
        let daemon = try Daemon(settings, version: version, since: start, hangups: signals.hangups, logger)
        // The tasks end with the process. A stop does not wait for them, so a hanging one does not delay it.
        for task in daemon.tasks { Task { await task.run() } }
        daemon.ready()
        signals.awaitStop()
        daemon.stop()
        log.flush()
        // Exit handlers might wait for a thread that hangs.
        _exit(EXIT_SUCCESS)
    }

    /// Starts the parts in the order of the drawing in `docs/internals/architecture.md`: journal and devices → core →
    /// server → broker and Home Assistant.
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
        // Before the clock is read: one that is set during the start is noticed.
        let clockChanges = WallClockWatch.changes
        let hub = NotificationHub(
            health: Health(
                needsDisplay: settings.displays.display != [.none],
                needsBroker: settings.broker?.mirrors.isEmpty == false
            )
        )
        healthLog = HealthLog(hub.source, logger)
        changeLog = ChangeLog(hub.source, since: start, logger)
        let make = Assembly(
            settings: settings,
            version: version,
            logger: logger,
            source: hub.source,
            poster: hub.poster
        )

        // Before the state directory is created: a daemon without its tokens does not start.
        let tokens = try make.tokens()
        let configuration = try make.configuration()
        // Before the displays: a daemon that cannot lock the state directory must not touch one.
        let records = try make.records()
        // The history is stored with the records; without a state directory, in memory.
        let journal =
            records ?? JournalWriter(inMemory: .ofThisMachine(), on: SerialQueue("journal"), now: MachineClock.moment)

        let watch = PanelWatch(DeviceWatch(), source: hub.source)
        let monitors = make.monitors(journal)
        let televisions = make.televisions()
        let opened = try make.panels(watch, monitors, televisions, journal)
        hub.expect(opened.pending)
        let displays = try make.displays(opened, records, journal)
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
        let wallClock = WallClock(newestTime: journal.newestTime, since: MachineClock.moment())
        let holders = make.holders(displays, journal, wallClock, resumes)

        let reports = LightReports(poster: hub.poster)
        let pushed = make.pushedSensors()
        let surface = make.surface(displays)
        let key = try make.serverKey()
        let metrics = DaemonMetrics(displays, hub.source, journal: records, version: version, since: start)
        let provided = ProvidedPanels(
            displays,
            pairs: opened.pairs,
            goingOnFrom: journal.recovered ?? [:],
            at: MachineClock.moment()
        )
        let presets = make.presets(journal)
        let saved = ConfigurationService(presets, holders, displays, groups: settings.groups, journal: journal)
        let updates = make.updates(configuration, saved, journal)
        var application = make.application(saved, reports, tokens)
        (application.simulator, application.provided, application.keyWindow) = (room, provided, key)
        application.metrics = metrics
        let server = try make.server(surface, history, application)
        metrics.observe(server)
        let broker: (any PublishingSession)? = try make.broker(surface, reports)
        let homeAssistant: (any PublishingSession)? = try make.homeAssistant(surface, server, key, pushed)
        shutdown = Shutdown(
            clients: server,
            displays: displays,
            monitors: monitors,
            televisions: televisions,
            sessions: [broker, homeAssistant].compactMap { $0 },
            history: history,
            records: records,
            onExit: settings.state.onExit,
            logger: logger
        )

        let light = try make.light(room, reports, pushed, watch, displays, resumes)
        input = make.input()
        var systemd = SystemdTask(
            ping: { await server.echo() },
            stuckDisplays: { displays.stuckDisplays(at: $0) },
            logger: logger
        )
        if let send { systemd.send = send }
        tasks = [
            journal, history,
            ClockTask(
                changes: clockChanges,
                clock: wallClock,
                poster: hub.poster,
                source: hub.source,
                resumes: resumes,
                logger: logger
            ),
            DisplayUpkeepTask(
                displays: displays,
                opened: opened,
                provided: provided,
                source: hub.source,
                logger: logger
            ), light,
            holders,
            ReloadTask(
                file: settings.access.tokenFile,
                groups: settings.groups,
                tokens: tokens,
                configuration: updates,
                hangups: hangups,
                noteReload: { metrics.noteReload($0) },
                logger: logger
            ),
            systemd,
        ]

        (self.displays, self.opened, self.server) = (displays, opened, server)
        (self.systemd, self.logger) = (systemd, logger)
    }

    /// Notifies systemd and logs the addresses.
    func ready() {
        systemd.ready()
        let displays = opened.registrations.map(\.panel.id.text).joined(separator: ", ")
        logger.notice("displays: \(displays.isEmpty ? "none" : displays)")
        logger.notice(
            "serving at \((server.addresses.map { "http://\($0)" } + server.paths).joined(separator: " and "))"
        )
    }

    func stop() {
        systemd.stopping()
        shutdown.run()
        healthLog.end()
        changeLog.end()
        logger.notice("stopped")
    }
}
