// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import ESPHome
import HTTPServer
import Journal
import MQTT
import Support
import Synchronization

/// The daemon's shutdown: the order of its steps and their time limits.
///
/// ```
///   stop accepting ─► restore displays, publish that ─► end streams and the broker's session ─► journal ─► exit
///                     2 s at most                       1.5 s                                   3 s
/// ```
///
/// Runs on the main thread and does not wait for tasks, so that nothing that hangs elsewhere delays it. Each part works
/// on its own thread. A part that exceeds its limit is abandoned; the next start continues from the journal.
struct Shutdown {
    private enum Limit {
        static let panels: Duration = .seconds(2)
        /// Longer than `panels`, and after the clients' end, because monitors and televisions are slow.
        static let monitors: Duration = .seconds(8)
        static let clients: Duration = .milliseconds(1_500)
        /// A memory card may stall for seconds.
        static let journal: Duration = .seconds(3)
    }

    let clients: any ClientServer
    let displays: DisplayService
    let monitors: MonitorSource
    let televisions: TelevisionSource
    /// The connections to the broker and to Home Assistant, as far as there are any.
    let sessions: [any PublishingSession]
    let history: HistoryRecorder
    /// `nil` without a file.
    let records: JournalWriter?
    let onExit: Restoring
    let logger: Logger
    var now: @Sendable () -> Moment = MachineClock.moment
    /// Waits until a latch is open or the time is over. Returns whether it is open.
    var wait: (Latch, inout Countdown) -> Bool = { latch, limit in latch.wait(within: &limit) }

    func run() {
        logger.notice("stopping")
        clients.stopAccepting()
        monitors.beginStop()
        televisions.beginStop()
        let last = LastCommands(to: displays, onExit, at: now())
        wait(for: last.done, within: Limit.panels)
        endClients()
        // A television is slow as well, also as a part of a pair.
        if last.waitsForMonitor || televisions.hasOpened { wait(for: last.done, within: Limit.monitors) }
        for id in last.waiting {
            logger.error("\(id) was not restored in time; with a state directory the next start restores it")
        }
        endJournal()
    }

    /// By now the streams have the displays' states. The sessions read them from the hub before they end.
    private func endClients() {
        for session in sessions { session.stop() }
        clients.drain(within: Limit.clients)
        var limit = Countdown(Limit.clients + Countdown.step * 2)
        _ = wait(clients.ended, &limit)
        for session in sessions { _ = wait(session.ended, &limit) }
    }

    private func endJournal() {
        // A history without a file ends with the daemon.
        guard let records else { return }
        let ended = Latch(count: 2)
        history.end { ended.release() }
        records.end { ended.release() }
        if !wait(for: ended, within: Limit.journal) { logger.error("the state file could not be written in time") }
    }

    @discardableResult
    private func wait(for latch: Latch, within limit: Duration) -> Bool {
        var limit = Countdown(limit)
        return wait(latch, &limit)
    }
}

/// The HTTP server's interface for the shutdown.
protocol ClientServer: Sendable {
    /// Rejects new clients. Returns at once.
    func stopAccepting()
    /// Ends every stream, then opens `ended`. Returns at once.
    func drain(within limit: Duration)
    var ended: Latch { get }
}

extension Server: ClientServer {}

/// The interface of a part that publishes states, for the shutdown.
protocol PublishingSession: Sendable {
    /// Publishes pending states and disconnects, then opens `ended`. Returns at once.
    func stop()
    var ended: Latch { get }
}

extension MQTTConnection: PublishingSession {}
extension ESPHomeServer: PublishingSession {}

/// The last commands of the displays of this machine.
private final class LastCommands: Sendable {
    /// Opens when every panel has answered.
    let done: Latch
    private let displays: DisplayService
    private let pending: Mutex<Set<DisplayID>>

    /// Submits the commands and returns at once. Other commands are rejected from now on.
    init(to displays: DisplayService, _ onExit: Restoring, at now: Moment) {
        // With `.keep` it ends transitions, so that each panel is at its target. No panel stays off because of a lease.
        let command = Command(
            .restoreAll(kind: onExit == .keep ? .sleep : nil, keepsOverridden: true),
            by: "brightnessd",
            reason: "stopped",
            transition: .zero
        )
        // Activity, which would end them, is not noticed after the stop.
        for id in displays.displays where onExit == .keep && displays.state(of: id)?.kind != .remote {
            displays.submit(.endOfIdle, to: id, at: now) { _ in }
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

    var waitsForMonitor: Bool { waiting.contains(where: displays.isSlow) }
}
