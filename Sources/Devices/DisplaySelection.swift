// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// A value of `--display`: `auto`, `backlight:NAME`, `led:NAME`, `ddc:ID`, `cec:N`, `cec:auto`,
/// `simulated`, `simulated:NAME` or `none`.
package enum DisplaySelection: Hashable, Sendable, CustomStringConvertible {
    /// The machine's backlights and monitors, or a simulated display if it has none.
    case auto
    /// The backlight with this kernel name or id.
    case backlight(KernelName)
    /// The television at the CEC adapter `/dev/cecN`.
    case cec(Int)
    /// The televisions at all CEC adapters. `auto` selects no televisions.
    case allTelevisions
    /// The monitor with this id.
    case ddc(DisplayID)
    /// The LED with this kernel name or id. `auto` selects no LEDs.
    case led(KernelName)
    /// No display of this machine: only mirrored displays.
    case none
    /// A simulated display with this id; `nil` for the default id.
    case simulated(DisplayID?)

    /// The forms that `init(_:)` reads.
    package static let form = "auto|backlight:NAME|led:NAME|ddc:ID|cec:N|cec:auto|simulated[:NAME]|none"

    /// Returns `nil` for anything else, and for an invalid name.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let selection: Self? =
            switch (parts[0], parts.dropFirst().first) {
            case ("auto", nil): .auto
            case ("none", nil): Self.none
            case ("simulated", nil): .simulated(nil)
            case ("simulated", let id?): DisplayID(id).map(Self.simulated)
            case ("backlight", let name?): KernelName(name).map(Self.backlight)
            case ("cec", "auto"): .allTelevisions
            case ("cec", let number?): TelevisionSource.numbers.first { String($0) == number }.map(Self.cec)
            case ("ddc", let id?): DisplayID(id).map(Self.ddc)
            case ("led", let name?): KernelName(name).map(Self.led)
            default: nil
            }
        guard let selection else { return nil }
        self = selection
    }

    /// Whether it requires the list of backlights.
    var isOfBacklights: Bool {
        switch self {
        case .auto, .backlight: true
        case .led, .ddc, .cec, .allTelevisions, .none, .simulated: false
        }
    }

    package var description: String {
        switch self {
        case .auto: "auto"
        case .backlight(let name): "backlight:\(name)"
        case .cec(let number): "cec:\(number)"
        case .allTelevisions: "cec:auto"
        case .ddc(let id): "ddc:\(id)"
        case .led(let name): "led:\(name)"
        case .none: "none"
        case .simulated(let id?): "simulated:\(id)"
        case .simulated(nil): "simulated"
        }
    }
}

/// Why the selected displays could not be opened. The description is for the person who starts the daemon.
package enum SelectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A selected display does not exist or cannot be read.
    case unusable(DisplaySelection, DeviceError, present: [DisplaySelection])
    /// A display or a selection.
    case twice(String)
    /// Another display or a part has the id of a pair.
    case pairExists(DisplayID)
    /// Two pairs share a part, or the parts of one are the same: a display or a device.
    case partTwice(String)
    /// A selected monitor does not respond.
    case noMonitor(DisplayID, MonitorProblem, present: [DisplayID])
    /// The directory of backlights exists and cannot be listed.
    case unlistable(DeviceError)

    package var description: String {
        switch self {
        case .noMonitor(let id, .none, let present) where !present.isEmpty:
            "no monitor ddc:\(id). Available monitors: " + present.map { "ddc:\($0)" }.joined(separator: ", ")
        case .noMonitor(let id, let note, _):
            "cannot use the monitor ddc:\(id): \(note)"
        case .unusable(let display, let error, let present):
            "cannot use \(display): \(error.logText). \(Self.list(present))"
        case .twice(let name):
            "--display selects \(name) twice"
        case .pairExists(let id):
            "--pair \(id): another display has this id"
        case .partTwice(let part):
            "--pair uses \(part) twice"
        case .unlistable(let error):
            "cannot list the backlights: \(error.logText)"
        }
    }

    private static func list(_ present: [DisplaySelection]) -> String {
        guard !present.isEmpty else {
            return "No display of this kind is available; --display simulated needs no hardware"
        }
        return "Available displays: " + present.map(\.description).joined(separator: ", ")
    }
}
