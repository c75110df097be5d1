// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
package import HTTPServer
package import Journal
import Metrics
import Synchronization

/// Everything that `/metrics` tells, gathered when somebody asks. Any thread.
///
/// ```
///   GET /metrics ──► each shard's counts, on its own thread ──┐
///                    displays, leases, hub, journal, /proc  ──┴──► Exposition ──► the answer
/// ```
///
/// Nothing is counted for it on the way of a request or an event but in plain fields of the shard.
package final class DaemonMetrics: Sendable {
    let service: DisplayService
    private let source: NotificationSource
    private let journal: JournalWriter?
    private let version: String
    private let start: Timestamp
    private let server = Mutex<Server?>(nil)

    /// - Parameters:
    ///   - journal: `nil` where boosts are kept in memory only.
    ///   - start: When the daemon began.
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

    /// From now on the counts of its shards are told.
    package func observe(_ server: Server) { self.server.withLock { $0 = server } }

    /// Waits for the shards: one that is stuck lets nobody have an answer.
    func text() async -> String {
        let shards = await server.withLock { $0 }?.counts() ?? []
        var exposition = Exposition()
        exposition.family("brightnessd_build_info", .gauge, help: "1; its labels say what runs.")
        exposition.sample(1, ["version": version, "libmicrohttpd": Server.libraryVersion])
        write(shards, to: &exposition)
        write(service.all.states, to: &exposition)
        writeLight(to: &exposition)
        writeNotifications(to: &exposition)
        writeJournal(to: &exposition)
        ProcessSample().write(to: &exposition, start: Double(start.milliseconds) / 1_000)
        return exposition.text
    }

    private func writeLight(to exposition: inout Exposition) {
        exposition.family(
            "brightnessd_illuminance_lux",
            .gauge,
            help: "The light in the room, while a sensor has a good reading."
        )
        if case .ambient(let ambient) = source.retained(.ambient), let lux = ambient.illuminance?.lux {
            exposition.sample(lux)
        }
    }

    private func writeNotifications(to exposition: inout Exposition) {
        exposition.family(
            "brightnessd_notifications_total",
            .counter,
            help: "Facts that were posted to the hub, by kind."
        )
        for kind in Notification.Kind.allCases { exposition.sample(source.posts(of: kind), ["kind": "\(kind)"]) }
    }

    private func writeJournal(to exposition: inout Exposition) {
        let counts = journal?.counts
        exposition.family("brightnessd_journal_durable", .gauge, help: "1 while boosts would survive a crash.")
        exposition.sample(isDurable)
        exposition.family("brightnessd_journal_commits_total", .counter, help: "Transactions of the journal.")
        if let counts { exposition.sample(counts.commits) }
        exposition.family(
            "brightnessd_journal_failures_total",
            .counter,
            help: "Transactions of the journal that failed."
        )
        if let counts { exposition.sample(counts.failures) }
        exposition.family(
            "brightnessd_journal_size_bytes",
            .gauge,
            help: "The journal's file and its log, with the history."
        )
        if let counts { exposition.sample(counts.size) }
    }

    private var isDurable: Bool {
        guard case .journal(let health) = source.retained(.journal) else { return false }
        if case .failing = health { return false }
        return true
    }
}
