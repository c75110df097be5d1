// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
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

    let clients: any ClientServer
    let displays: DisplayService
    let monitors: MonitorSource
    /// `nil` without a broker.
    let broker: (any BrokerSession)?
    let history: HistoryRecorder
    /// `nil` without a file.
    let records: JournalWriter?
    let onExit: Settings.OnExit
    let logger: Logger
    var now: @Sendable () -> Moment = MachineClock.moment
    /// Waits until a latch opens or the time is over. Returns whether it is open.
    var wait: (Latch, inout Countdown) -> Bool = { latch, limit in latch.wait(within: &limit) }

    func run() {
        logger.notice("stopping")
        clients.stopAccepting()
        monitors.beginStop()
        let last = LastCommands(to: displays, onExit, at: now())
        wait(for: last.done, within: Limit.panels)
        endClients()
        if last.waitsForMonitor { wait(for: last.done, within: Limit.monitors) }
        for id in last.waiting { logger.error("\(id) did not take its brightness back in time") }
        endJournal()
    }

    /// The streams have the states of the displays by now, and the broker's session takes them from the hub before it ends.
    private func endClients() {
        broker?.stop()
        clients.drain(within: Limit.clients)
        var limit = Countdown(Limit.clients + Countdown.step * 2)
        _ = wait(clients.ended, &limit)
        if let broker { _ = wait(broker.ended, &limit) }
    }

    private func endJournal() {
        let ended = Latch(count: records == nil ? 1 : 2)
        history.end { ended.release() }
        records?.end { ended.release() }
        if !wait(for: ended, within: Limit.journal) { logger.error("the journal could not be written in time") }
    }

    @discardableResult
    private func wait(for latch: Latch, within limit: Duration) -> Bool {
        var limit = Countdown(limit)
        return wait(latch, &limit)
    }
}

/// The HTTP server as a stop sees it.
protocol ClientServer: Sendable {
    /// Refuses new clients. Returns at once.
    func stopAccepting()
    /// Ends every stream; then `ended` opens. Returns at once.
    func drain(within limit: Duration)
    var ended: Latch { get }
}

extension Server: ClientServer {}

/// The connection to the MQTT broker as a stop sees it.
protocol BrokerSession: Sendable {
    /// Publishes what is left and disconnects; then `ended` opens. Returns at once.
    func stop()
    var ended: Latch { get }
}

extension Connection: BrokerSession {}

/// The last command of each display of this machine.
private final class LastCommands: Sendable {
    /// Opens when every panel has answered.
    let done: Latch
    private let displays: DisplayService
    private let pending: Mutex<Set<DisplayID>>

    /// Gives the commands, and returns at once. Every other command is refused from now on.
    init(to displays: DisplayService, _ onExit: Settings.OnExit, at now: Moment) {
        let command =
            switch onExit {
            case .restore: Command(.restoreAll, by: "brightnessd", reason: "stopped", transition: .zero)
            // No panel is left half-way.
            case .keep: Command(.tick, transition: .zero)
            }
        let ids = displays.refuseCommands()
        self.displays = displays
        pending = Mutex(Set(ids))
        done = Latch(count: ids.count)
        for id in ids {
            displays.submitLast(command, to: id, at: now) {
                self.pending.withLock { _ = $0.remove(id) }
                self.done.release()
            }
        }
    }

    /// The displays whose panels have not answered.
    var waiting: Set<DisplayID> { pending.withLock { $0 } }

    var waitsForMonitor: Bool { waiting.contains { displays.state(of: $0)?.kind == .ddc } }
}
