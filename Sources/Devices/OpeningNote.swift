// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// Something the log should say about the displays a daemon starts with.
package enum OpeningNote: Hashable, Sendable {
    /// There is no usable backlight in this directory, so a simulated display was taken.
    case simulated(insteadOf: String)
    /// Something among the backlights cannot be used as one.
    case skipped(BacklightDiscovery.Skipped)
    /// A backlight was left out because there is one of a better type.
    case passedOver(BacklightDiscovery.Backlight, for: BacklightType)
    case monitors(MonitorNote)
    /// An LED that something else sets by itself, too: the kernel's word for what, such as `heartbeat`.
    case triggered(DisplayID, by: String)
    /// A display that this process cannot set.
    case unwritable(DisplayID, DeviceError)

    /// Whether somebody has something to repair.
    package var isWarning: Bool {
        switch self {
        case .simulated, .passedOver, .triggered: false
        case .skipped, .unwritable: true
        case .monitors(let note): note.isWarning
        }
    }
}

extension OpeningNote: CustomStringConvertible {
    package var description: String {
        switch self {
        case .simulated(let directory):
            "no backlight under \(directory): showing a simulated display instead"
        case .skipped(let skipped):
            "left out the backlight \(skipped.name): \(skipped.error.logText)"
        case .passedOver(let backlight, let type):
            """
            left out the backlight \(backlight.id) of type \(backlight.type), since there is one of type \(type); \
            --display backlight:\(backlight.id) takes it
            """
        case .monitors(let note):
            note.description
        case .triggered(let id, let trigger):
            "the LED \(id) is also set by its trigger \"\(trigger)\"; none leaves it to others"
        case .unwritable(let id, .permission(let path)):
            """
            the brightness of \(id) can be read but not set: this process may not write \(path). Install the udev \
            rule and add its user to the group "video", or mount it writable into a container (README, "Permissions")
            """
        case .unwritable(let id, let error):
            "the brightness of \(id) can be read but not set: \(error.logText)"
        }
    }
}
