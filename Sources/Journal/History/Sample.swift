// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The state of a display, or of the ambient light, from one moment until the next sample.
struct Sample: Equatable, Sendable {
    /// `nil` while unknown: the display does not answer, or the daemon does not run.
    var brightness: Brightness?
    var baseline: Brightness?
    /// Whether the panel is on; `nil` while unknown.
    var isOn: Bool?
    /// Only in samples of the light.
    var illuminance: Illuminance?

    /// The state is unknown from here on.
    static let unknown = Sample()
}

extension Sample {
    init(_ state: DisplayState) {
        brightness = state.isAvailable ? state.brightness : nil
        baseline = state.baseline
        isOn = state.isAvailable ? state.power.isOn ?? state.power.baseline : nil
    }

    init(_ ambient: Ambient) { illuminance = ambient.illuminance }
}

/// A sample with its wall-clock date in milliseconds.
struct DatedSample: Equatable, Sendable {
    let at: Int64
    let sample: Sample
}

/// A display or the ambient light, which have samples.
enum Subject: Hashable, Sendable {
    case display(DisplayID)
    /// The ambient light, independent of a display.
    case light

    /// Not a valid id of a display.
    private static let lightName = "*light"

    /// The subject's name in the table.
    var name: String {
        switch self {
        case .display(let id): id.text
        case .light: Self.lightName
        }
    }

    var displayID: DisplayID? { if case .display(let id) = self { id } else { nil } }

    /// Returns `nil` for text that is neither.
    init?(name: String) {
        if name == Self.lightName {
            self = .light
        } else {
            guard let id = DisplayID(name) else { return nil }
            self = .display(id)
        }
    }
}
