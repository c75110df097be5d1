// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Support

/// Reports activity on the machine's input devices.
struct InputService: Service {
    /// Without a rule about idle displays no input device is opened.
    let isNeeded: Bool
    let sysfsRoot: String
    let poster: NotificationPoster
    let logger: Logger

    func run() async {
        guard isNeeded else { return }
        let (activity, signal) = Signal.makeStream()
        let input = InputWatch(
            sysfsRoot: sysfsRoot,
            onActivity: { signal.send() },
            onDenial: { path in
                logger.warning(
                    """
                    cannot read \(path): permission denied. Keyboards, mice and touch screens do not count as \
                    activity. Add the daemon's user to the group input: sudo usermod -aG input USER, and start it again
                    """
                )
            }
        )
        for await _ in activity { poster.post(.activity) }
        withExtendedLifetime(input) {}
    }
}
