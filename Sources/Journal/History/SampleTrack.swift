// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

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

    mutating func wrote() { unwritten = [] }

    /// Marks the sample in force as unwritten: it is missing in the database, or has a wrong date.
    mutating func repeatCurrent() {
        if unwritten.isEmpty, let current { unwritten = [current] }
    }
}
