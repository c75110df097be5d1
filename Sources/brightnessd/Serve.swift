// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore
import DaemonLog
import Devices
import Glibc
import HTTPServer
import Journal
import Logging
import MQTT
import MQTTBridge
import Threads
import WebAPI

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves until SIGTERM or SIGINT; then restores boosted displays and ends every stream."
    )

    @OptionGroup var options: ServeOptions

    /// The drawing of `docs/explanation/architecture.md`, top to bottom: open devices → core → server → run until a signal.
    func run() throws {
        // Before anything that a signal must not interrupt.
        let signals = try StopSignals()
        let start = MachineClock.moment().wall
        let settings = try Settings(options, inherited: SocketActivation.sockets())
        let log = DaemonLog(now: { MachineClock().now })
        defer { log.flush() }
        let logger = log.logger(level: settings.logLevel)

        // A file that may not grow is an error like a full disk, and no reason to end.
        signal(SIGXFSZ, SIG_IGN)

        let hub = NotificationHub(health: Health())
        let troubles = TroubleLog(hub.source, logger)
        // First of all: whoever does not get the state directory must not touch a display.
        let records = try orExplain(logger) { () throws(StateDirectory.Failure) in
            try settings.stateDirectory.map { directory throws(StateDirectory.Failure) in
                try JournalWriter(
                    in: directory,
                    on: SerialQueue("journal"),
                    poster: hub.poster,
                    now: MachineClock.moment
                )
            }
        }
        // The history is kept with the records, or without a file until the daemon ends.
        let journal =
            records ?? JournalWriter(inMemory: .ofThisMachine(), on: SerialQueue("journal"), now: MachineClock.moment)

        logger.info("state directory: \(settings.stateDirectory ?? "none, boosts are kept in memory only")")

        let tokens = try orExplain(logger) { () throws(TokenKeeper.Failure) in
            try settings.tokenFile.map { file throws(TokenKeeper.Failure) in try TokenKeeper.open(file, logger) }
        }

        let watch = PanelWatch(DeviceWatch(), source: hub.source)
        let monitors = MonitorSource(
            sysfsRoot: settings.sysfsRoot,
            writesPerDay: settings.writesPerDay,
            source: hub.source,
            now: MachineClock.moment
        )
        let opened = try orExplain(logger) { () throws(SelectionError) in
            try openDisplays(
                settings.displays,
                excluding: settings.excluded,
                sysfsRoot: settings.sysfsRoot,
                minimum: settings.minimum,
                watch: watch,
                monitors: monitors
            )
        }
        for note in opened.notes { logger.log(level: note.isWarning ? .warning : .notice, "\(note)") }
        if let id = settings.defaultDisplay, !opened.includes(id), settings.broker?.mirrors.isEmpty ?? true {
            throw ValidationError("--default-display \(id) is not among the displays that are served")
        }

        let service = try DisplayService(
            opened.seats,
            cap: settings.cap,
            transition: settings.transition,
            automatic: settings.automatic,
            journal: records,
            earlier: journal.recovered,
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
            leases: { service.boosts(of: $0)?.all },
            now: MachineClock.moment
        )

        let metrics = DaemonMetrics(
            service,
            hub.source,
            journal: records,
            version: Version.text,
            since: start
        )

        let audience = Audience(poster: hub.poster)
        let web = WebApplication.Configuration(
            access: AccessPolicy(
                hosts: settings.hosts,
                origins: settings.origins,
                anonymous: settings.anonymous,
                tokens: tokens,
                isOnLoopback: settings.isOnLoopback
            ),
            defaultDisplay: settings.defaultDisplay,
            audience: audience,
            simulator: room,
            metrics: metrics,
            writeLimit: WriteLimit(settings.writeLimit),
            now: MachineClock.moment
        )
        let server = try orExplain(logger) { () throws(ServerError) in
            let configuration = Server.Configuration(
                address: settings.address,
                unixPath: settings.unixPath,
                inherited: settings.inherited,
                shards: settings.shards,
                clientLimit: settings.streamLimit,
                clientConnections: settings.connectionLimit,
                clientConnects: settings.connectLimit
            )
            return try Server(configuration) { inbox in
                WebApplication(service, source: hub.source, history: history, configuration: web, inbox: inbox)
            }
        }
        metrics.observe(server)

        let broker = try settings.broker.map { try Connection($0.connection) }
        if let broker, let configuration = settings.broker {
            let configuration = Bridge.Configuration(
                topics: configuration.topics,
                discovery: configuration.discovery,
                mirrors: configuration.mirrors,
                version: Version.text,
                audience: audience,
                writeQuota: settings.commandQuota,
                now: MachineClock.moment,
                log: { [logger] in logger.info("MQTT: \($0)") }
            )
            try broker.start {
                Bridge(service, source: hub.source, poster: hub.poster, configuration) { broker.wake() }
            }
        }
        let systemd = SystemdKeeper(server: server, displays: service, logger: logger)
        // They end with the process. A stop waits for none of them, so one that hangs holds up nothing.
        Task { if let records { await records.keepTime() } }
        Task { await history.keepTime() }
        Task { await DisplayKeeper(service: service, opened: opened, logger: logger).run() }
        Task { if let room { await RoomKeeper(room: room, hub: hub, service: service).run() } }
        Task {
            await AmbientKeeper(
                room: room,
                finder: SensorFinder(root: settings.sysfsRoot, watch: watch),
                standIn: settings.defaultDisplay,
                hub: hub,
                service: service,
                logger: logger
            ).run()
        }
        Task {
            await TokenKeeper(file: settings.tokenFile, tokens: tokens, hangups: signals.hangups, logger: logger).run()
        }
        Task { await systemd.feedWatchdog() }
        systemd.ready()
        logger.notice(
            "serving at \((server.addresses.map { "http://\($0)" } + server.paths).joined(separator: " and "))",
            metadata: [
                "displays": "\(opened.seats.map(\.panel.id.text).joined(separator: ","))", "version": "\(Version.text)",
            ]
        )
        signals.awaitStop()

        systemd.stopping()
        Shutdown(
            server: server,
            service: service,
            monitors: monitors,
            broker: broker,
            history: history,
            journal: records,
            onExit: settings.onExit,
            logger: logger
        ).run()
        troubles.end()
        logger.notice("stopped")
        log.flush()
        // What runs at a usual exit might wait for a thread that hangs.
        _exit(EXIT_SUCCESS)
    }

    /// What cannot work is said in a sentence, not as a usage text; the exit status is 1.
    private func orExplain<Result, Failure: Error & CustomStringConvertible>(
        _ logger: Logger,
        _ body: () throws(Failure) -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch {
            logger.critical("\(error)")
            throw ExitCode.failure
        }
    }
}
