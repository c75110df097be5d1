// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Glibc
import HTTPServer
import Journal
import Logging
import MQTT
import Synchronization
import Threads

/// The stop of the daemon: its order, and how long each step waits.
///
/// ```
///   stop accepting ─► put displays back, publish that ─► end streams and the broker's session ─► journal ─► exit
///                     2 s at most                        1.5 s                                   1 s
/// ```
///
/// It runs on the main thread and waits for no task, so that nothing that hangs elsewhere holds it up. Each part works on
/// a thread of its own; one that is late is left behind. What it did not get done is in the journal, for the next start.
struct Shutdown {
    private enum Limit {
        static let panels: Duration = .seconds(2)
        /// Longer than `panels`, and behind the clients' end: a monitor has a reason to be slow.
        static let monitors: Duration = .seconds(8)
        static let clients: Duration = .milliseconds(1_500)
        static let journal: Duration = .seconds(1)
    }

    let server: Server
    let service: DisplayService
    let monitors: MonitorSource
    /// `nil` without a broker.
    let broker: Connection?
    let history: HistoryRecorder
    /// `nil` without a file.
    let journal: JournalWriter?
    let onExit: Settings.OnExit
    let logger: Logger

    func run() {
        logger.notice("stopping")
        server.stopAccepting()
        monitors.beginStop()
        let restore = Restore(service, onExit)
        restore.wait(within: Limit.panels)
        endClients()
        if restore.waitsForMonitor { restore.wait(within: Limit.monitors) }
        for id in restore.waiting { logger.error("\(id) did not take its brightness back in time") }
        endJournal()
    }

    /// The streams have the states of the displays by now, and the broker's session takes them from the hub before it ends.
    private func endClients() {
        broker?.stop()
        server.drain(within: Limit.clients)
        var limit = Countdown(Limit.clients + Countdown.step * 2)
        server.ended.wait(within: &limit)
        broker?.ended.wait(within: &limit)
    }

    private func endJournal() {
        let ended = Latch(count: journal == nil ? 1 : 2)
        history.end { ended.release() }
        journal?.end { ended.release() }
        var limit = Countdown(Limit.journal)
        if !ended.wait(within: &limit) { logger.error("the journal could not be written in time") }
    }
}

/// The displays that are being put back.
private final class Restore: Sendable {
    private let service: DisplayService
    private let pending: Mutex<Set<DisplayID>>
    private let isDone: Latch

    /// Gives each display of this machine its last command, and returns at once.
    init(_ service: DisplayService, _ onExit: Settings.OnExit) {
        let command =
            switch onExit {
            case .restore: Command(.restoreAll, by: "brightnessd", reason: "stopped", transition: .zero)
            // No panel is left half-way.
            case .keep: Command(.tick, transition: .zero)
            }
        let displays = service.refuseCommands()
        self.service = service
        pending = Mutex(Set(displays))
        isDone = Latch(count: displays.count)
        let now = MachineClock.moment()
        for id in displays {
            service.submitLast(command, to: id, at: now) {
                self.pending.withLock { _ = $0.remove(id) }
                self.isDone.release()
            }
        }
    }

    /// The displays whose panels have not answered.
    var waiting: Set<DisplayID> { pending.withLock { $0 } }

    var waitsForMonitor: Bool { waiting.contains { service.state(of: $0)?.kind == .ddc } }

    func wait(within limit: Duration) {
        var limit = Countdown(limit)
        isDone.wait(within: &limit)
    }
}
