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

/// The unwritten samples of one subject, the oldest first, and the sample in force.
///
/// Samples have instants, and get wall-clock dates when they are read or written. So samples of the first minute of a
/// machine that does not know the time yet get the correct date later.
struct SampleTrack: Sendable {
    /// One hour of samples. Beyond that the oldest are dropped: the disk has been full for an hour.
    static let limit = 3_600

    private struct Entry {
        let at: Moment
        let sample: Sample
    }

    private var unwritten: [Entry] = []
    private var current: Entry?

    var isWritten: Bool { unwritten.isEmpty }

    /// Adds a sample if it differs from the last one. Of samples less than a second apart, the first and the last stay.
    mutating func record(_ sample: Sample, at moment: Moment) {
        if current?.sample == sample { return }
        let begin = current.map { $0.at.instant > moment.instant ? $0.at : moment } ?? moment
        let entry = Entry(at: begin, sample: sample)
        current = entry
        if unwritten.count >= 2, begin.instant - unwritten[unwritten.count - 2].at.instant < .seconds(1) {
            unwritten.removeLast()
        }
        unwritten.append(entry)
        if unwritten.count > Self.limit { unwritten.removeFirst() }
    }

    /// Returns the samples to write, dated by the current clock.
    func dated(at now: Moment) -> [DatedSample] {
        unwritten.map { DatedSample(at: $0.at.corrected(at: now).wall.milliseconds, sample: $0.sample) }
    }

    mutating func markWritten() { unwritten = [] }

    /// Marks the sample in force as unwritten: it is missing in the database, or has a wrong date.
    mutating func repeatCurrent() {
        if unwritten.isEmpty, let current { unwritten = [current] }
    }
}
