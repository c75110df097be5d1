// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// What is in force on a display, or of the light in the room, from one moment until the next sample.
struct Sample: Equatable, Sendable {
    /// `nil` where it is not known: the display does not answer, or the daemon does not run.
    var brightness: Brightness?
    var baseline: Brightness?
    /// Of the light, and of that only.
    var illuminance: Illuminance?
    /// Who changed it and why; when, the sample's own date says.
    var attribution: Attribution?

    struct Attribution: Equatable, Sendable {
        let kind: Cause.Kind
        let by: String?
        var principal: Principal?
        let reason: String?
    }

    /// Nothing is known from here on.
    static let unknown = Sample()
}

extension Sample {
    init(_ state: DisplayState) {
        brightness = state.isAvailable ? state.brightness : nil
        baseline = state.baseline
        let cause = state.cause
        attribution = Attribution(kind: cause.kind, by: cause.by, principal: cause.principal, reason: cause.reason)
    }

    init(_ ambient: Ambient) { illuminance = ambient.illuminance }

    func cause(at milliseconds: Int64) -> Cause? {
        attribution.map { attribution in
            Cause(
                attribution.kind,
                by: attribution.by,
                principal: attribution.principal,
                reason: attribution.reason,
                at: Timestamp(milliseconds: milliseconds)
            )
        }
    }
}

/// A sample with its date on the wall, in milliseconds.
struct DatedSample: Equatable, Sendable {
    let at: Int64
    let sample: Sample
}

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
