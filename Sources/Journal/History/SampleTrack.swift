// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The samples of one subject that are not in the database, the oldest first, and the one in force.
///
/// They remember instants, and are dated by the wall clock when they are read or written: so those of the first minute
/// of a machine that does not know the time yet get the right date after all.
struct SampleTrack: Sendable {
    /// An hour of them. Beyond that the oldest are forgotten: the disk has been full for so long.
    static let limit = 3_600

    private struct Entry {
        let instant: Instant
        let sample: Sample
    }

    private var unwritten: [Entry] = []
    private var current: Entry?

    var isWritten: Bool { unwritten.isEmpty }

    /// Takes a sample if it tells something new. Of those less than a second apart the first and the last stay.
    mutating func take(_ sample: Sample, at instant: Instant) {
        if current?.sample == sample { return }
        let entry = Entry(instant: max(instant, current?.instant ?? instant), sample: sample)
        current = entry
        if unwritten.count >= 2, entry.instant - unwritten[unwritten.count - 2].instant < .seconds(1) {
            unwritten.removeLast()
        }
        unwritten.append(entry)
        if unwritten.count > Self.limit { unwritten.removeFirst() }
    }

    /// What is to be written, with its dates as the clock is now.
    func dated(at now: Moment) -> [DatedSample] {
        unwritten.map { entry in
            DatedSample(at: now.wall.milliseconds - (now.instant - entry.instant).milliseconds, sample: entry.sample)
        }
    }

    mutating func wrote() { unwritten = [] }

    /// The one in force is to be written again: the database does not have it, or not at the right date.
    mutating func repeatCurrent() {
        if unwritten.isEmpty, let current { unwritten = [current] }
    }
}
