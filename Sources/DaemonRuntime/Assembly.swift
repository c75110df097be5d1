// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import ESPHome
import HTTPServer
import Journal
import MQTT
import MQTTBridge
import Support
import WebAPI

/// Makes the daemon's parts of its settings. `Daemon.init` states their order.
struct Assembly {
    let settings: Settings
    let version: String
    let logger: Logger
    let source: NotificationSource
    let poster: NotificationPoster

    func tokens() throws -> TokenStore? {
        try explained { try settings.access.tokenFile.map { try ReloadTask.open($0, groups: settings.groups, logger) } }
    }

    /// Reads the file of `--configuration`. A location for its schedules is in the file or in the options.
    func configuration() throws -> ConfigurationFile.Content? {
        let hasLocation = settings.presence.location != nil
        let rules = ConfigurationDocument.Rules(
            groups: settings.groups,
            hasDefaultLocation: hasLocation,
            hasLocation: hasLocation
        )
        return try explained { try settings.state.configuration?.read(by: rules) }
    }

    /// Applies the file of `--configuration`. `nil` without one.
    func updates(
        _ content: ConfigurationFile.Content?,
        _ saved: ConfigurationService,
        _ journal: JournalWriter
    ) -> ConfigurationUpdates? {
        guard let file = settings.state.configuration, let content else { return nil }
        let applied = journal.kept(AppliedConfiguration.self).first?.digest
        let updates = ConfigurationUpdates(file, saved, journal, applied: applied, logger)
        // Before the first client; a panel that hangs does not delay the start.
        let isApplied = Latch()
        updates.apply(content, at: MachineClock.moment()) { isApplied.release() }
        var limit = Countdown(.seconds(1))
        isApplied.wait(within: &limit)
        return updates
    }

    /// Locks the state directory. `nil` without one.
    func records() throws -> JournalWriter? {
        let records = try explained {
            try settings.state.stateDirectory.map {
                try JournalWriter(in: $0, on: SerialQueue("journal"), poster: poster, now: MachineClock.moment)
            }
        }
        logger.info("state directory: \(settings.state.stateDirectory ?? "none; boosts are kept in memory only")")
        return records
    }

    func monitors(_ journal: JournalWriter) -> MonitorSource {
        MonitorSource(
            sysfsRoot: settings.system.sysfsRoot,
            writesPerDay: settings.displays.ddcWritesPerDay,
            switchable: Set(settings.displays.ddcPower),
            goingOnFrom: (journal.recovered ?? [:]).mapValues(\.record).withParts(of: settings.displays.pair),
            source: source,
            now: MachineClock.moment
        )
    }

    func televisions() -> TelevisionSource {
        TelevisionSource(
            sysfsRoot: settings.system.sysfsRoot,
            off: settings.displays.cecOff,
            source: source,
            now: { MachineClock.moment().instant }
        )
    }

    func panels(
        _ watch: PanelWatch,
        _ monitors: MonitorSource,
        _ televisions: TelevisionSource,
        _ journal: JournalWriter
    ) throws -> OpenedDisplays {
        let opened = try explained {
            try openDisplays(
                settings.displays.display,
                pairs: settings.displays.pair,
                goingOnFrom: journal.recovered ?? [:],
                excluding: Set(settings.displays.excludeDisplay),
                sysfsRoot: settings.system.sysfsRoot,
                minimum: settings.displays.minBrightness,
                watch: watch,
                monitors: monitors,
                televisions: televisions
            )
        }
        for note in opened.notices { logger.log(level: note.isWarning ? .warning : .notice, "\(note)") }
        if let id = settings.displays.defaultDisplay, !opened.includes(id), settings.broker?.mirrors.isEmpty ?? true {
            logger.warning("--default-display \(id) is not a served display, unless a client provides it")
        }
        for pair in settings.displays.follow {
            for id in [pair.id, pair.value] where !opened.includes(id) {
                logger.warning("--follow \(pair.id)=\(pair.value) waits for \(id), which is not served now")
            }
        }
        return opened
    }

    /// - Parameter records: The journal if it has a file, else `nil`.
    func displays(_ opened: OpenedDisplays, _ records: JournalWriter?, _ journal: JournalWriter) throws
        -> DisplayService
    {
        var configuration = DisplayService.Configuration.standard
        (configuration.cap, configuration.transition) = (settings.displays.boostCap, settings.displays.transition)
        (configuration.curves, configuration.automatic.curve) = (settings.displays.curve, settings.automatic.autoCurve)
        (configuration.automatic.isOnByDefault, configuration.automatic.hold) = (
            settings.automatic.auto, settings.automatic.autoHold
        )
        configuration.tags = settings.broker?.tags ?? []
        configuration.restoresAtBoot = settings.state.onBoot == .restore && BootClock.ofThisMachine().namesBoots
        configuration.defaultDisplay = settings.displays.defaultDisplay
        configuration.leaders = settings.leaders
        (configuration.journal, configuration.earlier) = (records, journal.recovered)
        for kept in journal.kept(SettingsRecord.self) { configuration.settings[kept.display] = kept.settings }
        configuration.now = MachineClock.moment
        return try DisplayService(
            opened.registrations,
            configuration,
            poster: poster,
            source: source,
            at: MachineClock.moment()
        )
    }

    func holders(
        _ displays: DisplayService,
        _ journal: JournalWriter,
        _ wallClock: WallClock,
        _ resumes: ResumeDetector
    ) -> HolderService {
        let planner = SchedulePlanner(LocalTime(), location: settings.presence.location)
        var rules: [any Holder] = [
            Schedules(planner, journal.kept(ScheduleRecord.self), at: journal.kept(Location.self).first)
        ]
        if !settings.idle.isEmpty { rules.append(Idle(settings.idle, at: MachineClock.moment())) }
        if let time = settings.presence.presenceWake { rules.append(Presence(wakingFor: time)) }
        if !settings.leaders.isEmpty {
            rules.append(Followers(settings.leaders, journal.kept(FollowerRecord.self)))
        }
        return HolderService(
            displays,
            rules,
            journal: journal,
            on: SerialQueue("holders"),
            source: source,
            poster: poster,
            clock: .ofThisMachine(wallClock, resumes)
        )
    }

    func server(
        _ surface: Surface,
        _ history: HistoryRecorder,
        _ application: WebApplication.Configuration
    ) throws -> Server {
        try explained {
            try Server(settings.server) { inbox in
                WebApplication(surface, history: history, configuration: application, inbox: inbox)
            }
        }
    }

    func presets(_ journal: JournalWriter) -> PresetService {
        PresetService(journal.kept(Preset.self), journal: journal) { [poster] in poster.put([.presets($0)]) }
    }

    func application(
        _ saved: ConfigurationService,
        _ reports: LightReports,
        _ tokens: TokenStore?
    ) -> WebApplication.Configuration {
        var configuration = WebApplication.Configuration(
            access: settings.policy(for: tokens, refusedOrigins: RefusedOrigins(poster: poster)),
            saved: saved,
            lightReports: reports
        )
        configuration.writeLimit = WriteLimit(settings.load.limit.writes)
        configuration.warn = { [logger] in logger.warning("\($0)") }
        return configuration
    }

    func surface(_ displays: DisplayService) -> Surface {
        var surface = Surface(
            displays,
            source,
            poster,
            viewers: ViewerCount(poster: poster),
            groups: settings.groups,
            writeQuota: settings.commandQuota,
            now: MachineClock.moment
        )
        // Not a notification: it is an access log, with a line a request, and its text is made only where it is read.
        if logger.level <= .debug { surface.logRefusal = { [logger] line in logger.debug(line) } }
        return surface
    }

    /// Connects to the broker. The connection's thread then publishes states and accepts commands.
    func broker(_ surface: Surface, _ reports: LightReports) throws -> MQTTConnection? {
        guard let broker = settings.broker else { return nil }
        let connection = try MQTTConnection(broker.connection)
        var bridge = Bridge.Configuration(topics: broker.topics, version: version, lightReports: reports)
        (bridge.discovery, bridge.mirrors, bridge.mirrorLimit) = (broker.discovery, broker.mirrors, broker.mirrorLimit)
        try connection.start { [bridge] in Bridge(surface, bridge) { connection.wake() } }
        return connection
    }

    /// The sensors that Home Assistant pushes; none without its server.
    func pushedSensors() -> PushedSensors {
        PushedSensors(
            light: settings.homeAssistant.homeAssistantLight,
            presence: settings.homeAssistant.homeAssistantPresence,
            poster: poster
        )
    }

    /// Reads the key of ESPHome clients that one of them made. `nil` without a server for them.
    func serverKey() throws -> ServerKey? {
        guard let esphome = settings.esphome else { return nil }
        guard let file = esphome.keyFile else { return ServerKey(esphome.key) }
        let key = try explained { try file.read() }
        return ServerKey(key) { [logger] key in
            do throws(OptionError) {
                try file.write(key)
                return true
            } catch {
                logger.error("\(error)")
                return false
            }
        }
    }

    /// Serves ESPHome clients. The server's thread publishes states and accepts commands.
    func homeAssistant(
        _ surface: Surface,
        _ server: Server,
        _ key: ServerKey?,
        _ sensors: PushedSensors
    ) throws -> ESPHomeServer? {
        guard let esphome = settings.esphome, let key else { return nil }
        let (socket, address) = try explained { try ListenSocket.open(esphome.address) }
        let home = try ESPHomeServer(socket: socket, key: key, identity: esphome.identity)
        // No link for clients on other machines to a dashboard that only this machine reaches.
        let isReachable = !settings.isOnLoopback || address.isLoopback
        var bridge = ESPHomeBridge.Configuration(
            identity: esphome.identity,
            version: version,
            key: key,
            sensors: sensors
        )
        if isReachable { bridge.dashboardPort = server.addresses.first?.port ?? 0 }
        bridge.scope = esphome.scope
        bridge.address = "\(address)"
        let keyState = key.state(at: MachineClock.moment().instant).key
        poster.post(.homeAssistant(HomeAssistantHealth(key: keyState, address: bridge.address)))
        try home.start { [bridge] in ESPHomeBridge(surface, bridge) { home.wake() } }
        let form = keyState == .set ? "encrypted" : "not encrypted, of this machine only until there is a key"
        logger.notice("ESPHome clients: \(address), \(form)")
        return home
    }

    func light(
        _ room: SimulatedRoom?,
        _ reports: LightReports,
        _ pushed: PushedSensors,
        _ watch: PanelWatch,
        _ displays: DisplayService,
        _ resumes: ResumeDetector
    ) throws -> LightTask {
        let devices = try LightDevices(
            settings.automatic.lightSensor,
            version: version,
            now: { MachineClock().now },
            poster: poster
        )
        let finder = SensorFinder(root: settings.system.sysfsRoot, watch: watch, poster: poster)
        let own: [any SensorSource] = room.map { [$0, finder] } ?? [finder]
        let sensors = SensorDirectory(own: own, remote: [devices, reports, pushed])
        return LightTask(
            room: room,
            devices: devices,
            sensors: sensors,
            ambient: AmbientService(
                sensors,
                fallbackDisplay: settings.displays.defaultDisplay,
                needsPresence: settings.presence.presenceWake != nil,
                resumes: resumes,
                on: SerialQueue("sensors"),
                source: source,
                poster: poster
            ),
            needsPresence: settings.presence.presenceWake != nil,
            source: source,
            displays: displays,
            logger: logger
        )
    }

    /// Without a rule about idle displays no input device is opened.
    func input() -> InputWatch? {
        settings.idle.isEmpty ? nil : InputWatch(sysfsRoot: settings.system.sysfsRoot, poster: poster)
    }

    /// Logs a thrown error before it ends the start.
    private func explained<Result>(_ body: () throws -> Result) throws(Daemon.StartFailure) -> Result {
        do {
            return try body()
        } catch {
            logger.critical("\(error)")
            throw Daemon.StartFailure()
        }
    }
}
