// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import CSystemd
import Glibc
import HTTPServer
import Logging

/// Tells systemd that the daemon serves, that it ends, and, where `WatchdogSec=` asks for it, that neither a
/// shard nor a panel is stuck. Without systemd it does nothing.
///
/// - SeeAlso: sd_notify(3), sd_watchdog_enabled(3)
struct SystemdKeeper {
    let server: Server
    let displays: DisplayService
    let logger: Logger

    func ready() { notify("READY=1") }

    func stopping() { notify("STOPPING=1") }

    private func notify(_ news: String) {
        let code = sd_notify(0, news)
        if code < 0 { logger.warning("systemd does not hear \"\(news)\": \(String(cString: strerror(-code)))") }
    }

    /// Until the task is cancelled. Once a shard does not answer, this waits with it, and systemd acts.
    func feedWatchdog() async {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return }
        // Half of the time, as sd_watchdog_enabled(3) has it.
        while (try? await Task.sleep(for: .microseconds(microseconds / 2))) != nil {
            await server.echo()
            let stuck = displays.stuckDisplays(at: MachineClock().now)
            if stuck.isEmpty {
                notify("WATCHDOG=1")
            } else {
                logger.error("\(stuck.map(\.text).joined(separator: ", ")): the panel hangs; systemd is left to act")
            }
        }
    }
}
