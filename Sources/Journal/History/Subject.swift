// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// What the history has samples of.
enum Subject: Hashable, Sendable {
    case display(DisplayID)
    /// The light in the room, which is no display's.
    case light

    /// No display can be called that.
    private static let lightName = "*light"

    /// Its name in the table.
    var name: String {
        switch self {
        case .display(let id): id.text
        case .light: Self.lightName
        }
    }

    var displayID: DisplayID? { if case .display(let id) = self { id } else { nil } }

    /// Returns `nil` for what is neither.
    init?(name: String) {
        if name == Self.lightName {
            self = .light
        } else {
            guard let id = DisplayID(name) else { return nil }
            self = .display(id)
        }
    }
}
