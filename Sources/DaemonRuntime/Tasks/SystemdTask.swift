// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
internal import CSystemd
import Glibc
import HTTPServer

/// Notifies systemd that the daemon serves and that it stops. With `WatchdogSec=`, also reports that neither a shard
/// nor a panel is stuck. Does nothing without systemd.
///
/// - SeeAlso: sd_notify(3), sd_watchdog_enabled(3)
struct SystemdTask: BackgroundTask {
    /// Returns when every shard has processed its inbox.
    let ping: @Sendable () async -> Void
    /// Returns the displays whose panel hangs.
    let stuckDisplays: @Sendable (Instant) -> [DisplayID]
    let logger: Logger
    /// Sends a state to systemd. Returns a negative error number if that fails.
    var send: @Sendable (String) -> Int32 = { sd_notify(0, $0) }
    /// `nil` without a watchdog.
    var watchdogTimeout: Duration? = SystemdTask.enabledWatchdog()
    var slept: @Sendable () -> Duration = MachineClock.slept

    /// Returns the sockets that the service manager listens on for the daemon and keeps open during a restart. Call it
    /// once. Processes that the daemon starts do not inherit them.
    ///
    /// - SeeAlso: sd_listen_fds(3)
    static func inheritedSockets() throws(OptionError) -> [InheritedSocket] {
        let count = sd_listen_fds(1)
        guard count >= 0 else {
            throw OptionError(
                "LISTEN_FDS names no descriptors of the service manager: \(String(cString: strerror(-count)))"
            )
        }
        return try (0..<count).map { index throws(OptionError) in
            try Result { () throws(ServerError) in try InheritedSocket(SD_LISTEN_FDS_START + index) }
                .mapError { OptionError("\($0)") }.get()
        }
    }

    func ready() { notify("READY=1") }

    func stopping() { notify("STOPPING=1") }

    private func notify(_ state: String) {
        let code = send(state)
        if code < 0 { logger.warning("cannot send \"\(state)\" to systemd: \(String(cString: strerror(-code)))") }
    }

    func run() async { await run(on: MachineClock()) }

    /// Waits for a shard that does not answer, so that systemd's watchdog expires.
    func run<C: Clock<Duration>>(on clock: C) async where C.Instant == Instant {
        guard let watchdogTimeout else { return }
        // Half of the timeout, as sd_watchdog_enabled(3) recommends.
        while (try? await clock.sleep(for: watchdogTimeout / 2)) != nil {
            await ping()
            // The time of a suspend does not count.
            let stuck = stuckDisplays(clock.now - slept())
            if stuck.isEmpty {
                notify("WATCHDOG=1")
            } else {
                let names = stuck.map(\.text).joined(separator: ", ")
                logger.error("\(names): the panel hangs; the watchdog of systemd will restart the daemon")
            }
        }
    }

    static func enabledWatchdog() -> Duration? {
        var microseconds: UInt64 = 0
        return sd_watchdog_enabled(0, &microseconds) > 0 ? .microseconds(microseconds) : nil
    }
}
