// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices

/// Dims displays and switches them off while nobody uses the machine.
struct IdleUpkeepService: Service {
    /// `nil` without a rule: then no input device is opened.
    let idle: IdleService?
    let displays: DisplayService
    let sysfsRoot: String
    let logger: Logger

    func run() async {
        guard let idle else { return }
        let input = InputWatch(
            sysfsRoot: sysfsRoot,
            onActivity: { displays.reportActivity() },
            onDenial: { path in
                logger.warning(
                    """
                    cannot read \(path): permission denied. Keyboards, mice and touch screens do not count as \
                    activity. Add the daemon's user to the group input: sudo usermod -aG input USER, and start it again
                    """
                )
            }
        )
        await idle.run(on: MachineClock())
        withExtendedLifetime(input) {}
    }
}
