// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// A log message about discovered displays.
package enum DiscoveryNotice: Hashable, Sendable, CustomStringConvertible {
    /// The directory has no usable backlight, so a simulated display is served.
    case simulated(insteadOf: String)
    /// A backlight cannot be used.
    case skipped(BacklightDiscovery.Skipped)
    /// A backlight was skipped in favour of a better type.
    case passedOver(BacklightDiscovery.Backlight, for: BacklightType)
    /// A backlight that an earlier run has served.
    case missing(DisplayID)
    case monitors(MonitorProblem)
    /// An LED that a kernel trigger sets, too, such as `heartbeat`.
    case triggered(DisplayID, by: String)
    /// A display that this process has no permission to set.
    case unwritable(DisplayID, DeviceError)

    /// A pair waits for this part.
    case pairWaits(DisplayID, for: DisplayID)
    /// A pair whose second part cannot be switched.
    case pairUnswitchable(DisplayID, DisplayID)

    /// Whether a person should fix something.
    package var isWarning: Bool {
        switch self {
        case .simulated, .passedOver, .missing, .triggered, .pairWaits: false
        case .skipped, .unwritable, .pairUnswitchable: true
        case .monitors(let note): note.isWarning
        }
    }

    package var description: String {
        switch self {
        case .simulated(let directory):
            "no backlight found under \(directory); serving a simulated display"
        case .skipped(let skipped):
            "skipping the backlight \(skipped.name): \(skipped.error.logText)"
        case .passedOver(let backlight, let type):
            """
            skipping the backlight \(backlight.id) of type \(backlight.type) in favour of one of type \(type); \
            --display backlight:\(backlight.id) selects it
            """
        case .missing(let id):
            "the backlight \(id) of an earlier run is missing: its name, settings and baseline wait for its return"
        case .monitors(let note):
            note.description
        case .triggered(let id, let trigger):
            "the kernel trigger \"\(trigger)\" also sets the LED \(id); write none to its trigger file to disable it"
        case .unwritable(let id, .permission(let path)):
            """
            \(id) is read-only: no permission to write \(path). Install the udev rule and add the user to the group \
            "video", or mount the file writable into the container (brightnessd probe shows the commands)
            """
        case .pairWaits(let id, let part):
            "\(id) waits for \(part) (--pair)"
        case .pairUnswitchable(let id, let part):
            "\(id) cannot be switched: \(part) is not switchable (--pair)"
        case .unwritable(let id, let error):
            "\(id) is read-only: \(error.logText)"
        }
    }
}
