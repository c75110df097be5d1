// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
internal import CSystemd
import Glibc
import HTTPServer
import Logging

/// Notifies systemd that the daemon serves, that it stops, and, where `WatchdogSec=` asks for it, that neither a shard nor a
/// panel is stuck. Without systemd it does nothing.
///
/// - SeeAlso: sd_notify(3), sd_watchdog_enabled(3)
struct SystemdService: Service {
    /// Returns when every shard has been at its inbox.
    let ping: @Sendable () async -> Void
    /// The displays whose panel hangs.
    let stuckDisplays: @Sendable (Instant) -> [DisplayID]
    let logger: Logger
    /// Sends a state to systemd. Returns a negative error number if that fails.
    var send: @Sendable (String) -> Int32 = { sd_notify(0, $0) }
    /// `nil` without a watchdog.
    var watchdogTimeout: Duration? = SystemdService.enabledWatchdog()

    /// Sockets that the service manager listens on for the daemon, so that they stay while it is restarted. Call it once; the
    /// processes that the daemon starts do not get them.
    ///
    /// - SeeAlso: sd_listen_fds(3)
    static func inheritedSockets() throws(OptionError) -> [InheritedSocket] {
        let count = sd_listen_fds(1)
        return try (0..<max(0, count)).map { index throws(OptionError) in
            do throws(ServerError) {
                return try InheritedSocket(SD_LISTEN_FDS_START + index)
            } catch {
                throw OptionError("\(error)")
            }
        }
    }

    func ready() { notify("READY=1") }

    func stopping() { notify("STOPPING=1") }

    private func notify(_ state: String) {
        let code = send(state)
        if code < 0 { logger.warning("systemd does not receive \"\(state)\": \(String(cString: strerror(-code)))") }
    }

    func run() async { await run(on: MachineClock()) }

    /// Once a shard does not answer, this waits with it, and systemd acts.
    func run<C: Clock<Duration>>(on clock: C) async where C.Instant == Instant {
        guard let watchdogTimeout else { return }
        // Half of the time, as sd_watchdog_enabled(3) has it.
        while (try? await clock.sleep(for: watchdogTimeout / 2)) != nil {
            await ping()
            let stuck = stuckDisplays(clock.now)
            if stuck.isEmpty {
                notify("WATCHDOG=1")
            } else {
                logger.error("\(stuck.map(\.text).joined(separator: ", ")): the panel hangs; systemd is left to act")
            }
        }
    }

    static func enabledWatchdog() -> Duration? {
        var microseconds: UInt64 = 0
        return sd_watchdog_enabled(0, &microseconds) > 0 ? .microseconds(microseconds) : nil
    }
}
