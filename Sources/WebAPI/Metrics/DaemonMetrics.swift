// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
package import HTTPServer
package import Journal
import Support
import Synchronization

/// The metrics of the daemon, collected at each `GET /metrics`. Any thread.
///
/// ```
///   GET /metrics ──► each shard's counts, on its own thread ──┐
///                    displays, leases, hub, journal, /proc  ──┴──► Exposition ──► response
/// ```
///
/// Requests and events are counted in plain fields of their shard.
package final class DaemonMetrics: Sendable {
    let service: DisplayService
    private let source: NotificationSource
    private let journal: JournalWriter?
    private let version: String
    private let start: Timestamp
    private let server = Mutex<Server?>(nil)
    private let isReloaded = Atomic(true)
    /// The response, for all shards.
    let shared = SharedMetrics()

    /// - Parameters:
    ///   - journal: `nil` if boosts are in memory only.
    ///   - start: The start time of the daemon.
    package init(
        _ service: DisplayService,
        _ source: NotificationSource,
        journal: JournalWriter?,
        version: String,
        since start: Timestamp
    ) {
        self.service = service
        self.source = source
        self.journal = journal
        self.version = version
        self.start = start
    }

    /// Includes the counts of this server's shards from now on.
    package func observe(_ server: Server) { self.server.withLock { $0 = server } }

    /// Notes whether SIGHUP has reloaded every file.
    package func noteReload(_ isReloaded: Bool) { self.isReloaded.store(isReloaded, ordering: .relaxed) }

    /// Returns the metrics as text. Waits for every shard, so a stuck one blocks the result.
    func text() async -> [UInt8] {
        let shards = await server.withLock { $0 }?.counts() ?? []
        var exposition = Exposition()
        exposition.family("brightnessd_build_info", "1, with the versions as labels.")
        exposition.sample(1, ["version": version, "libmicrohttpd": Server.libraryVersion])
        exposition.single(
            "brightnessd_last_reload_successful",
            "0 if the last SIGHUP found a fault in the token file or the configuration.",
            isReloaded.load(ordering: .relaxed) ? 1 : 0
        )
        write(shards, to: &exposition)
        write(service.all.states, to: &exposition)
        writeLight(to: &exposition)
        writeNotifications(to: &exposition)
        writeJournal(to: &exposition)
        exposition.family("brightnessd_mqtt_connected", "1 while the MQTT broker is connected.")
        if case .broker(let health)? = source.retained(.broker) { exposition.sample(health.isConnected) }
        writeNodes(to: &exposition)
        writeHomeAssistant(to: &exposition)
        ProcessSample().write(to: &exposition, start: Double(start.milliseconds) / 1_000)
        return exposition.bytes
    }

    private func writeLight(to exposition: inout Exposition) {
        let lux: Double? =
            if case .ambient(let ambient) = source.retained(.ambient) { ambient.illuminance?.lux } else { nil }
        exposition.single(
            "brightnessd_illuminance_lux",
            "Ambient illuminance, while a sensor has a valid reading.",
            lux
        )
    }

    private func writeNotifications(to exposition: inout Exposition) {
        exposition.family("brightnessd_notifications_total", "Notifications posted to the hub, by kind.")
        for kind in Notification.Kind.allCases {
            exposition.sample(source.posts(of: kind), ["kind": "\(kind)"])
        }
    }

    /// Writes the nodes; of two with the same name, from two prefixes, the first one.
    private func writeNodes(to exposition: inout Exposition) {
        var names: Set<String> = []
        let nodes = source.nodes.filter { names.insert($0.name).inserted }
        exposition.family("brightnessd_node_info", "1, with the version of a mirrored node as a label.")
        for node in nodes { exposition.sample(1, ["node": node.name, "version": node.version ?? ""]) }
        exposition.family(
            "brightnessd_node_online",
            "1 while a mirrored node is online. No sample while the broker is unreachable."
        )
        for node in nodes { if let isOnline = node.isOnline { exposition.sample(isOnline, ["node": node.name]) } }
    }

    private func writeHomeAssistant(to exposition: inout Exposition) {
        guard case .homeAssistant(let health)? = source.retained(.homeAssistant) else { return }
        exposition.single("brightnessd_esphome_clients", "Connected ESPHome clients.", Double(health.clients))
        let help: StaticString = "Refused connections of ESPHome clients."
        exposition.single("brightnessd_esphome_refused_total", help, Double(health.refused))
    }

    private func writeJournal(to exposition: inout Exposition) {
        let counts = journal?.counts
        func write(_ name: StaticString, _ help: StaticString, _ value: Int?) {
            exposition.single(name, help, value.map(Double.init))
        }
        write(
            "brightnessd_journal_durable",
            "1 while the state file is written, so that boosts survive a crash.",
            isDurable ? 1 : 0
        )
        write("brightnessd_journal_commits_total", "Committed transactions of the state file.", counts?.commits)
        write("brightnessd_journal_failures_total", "Failed transactions of the state file.", counts?.failures)
        write(
            "brightnessd_journal_size_bytes",
            "Size of the state file and its write-ahead log, with the history.",
            counts?.size
        )
    }

    private var isDurable: Bool {
        guard case .journal(let health) = source.retained(.journal) else { return false }
        if case .failing = health { return false }
        return true
    }
}
