// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// Follows what is in force from one time to a later one, with one or two seeks in the database a move,
/// and none where nothing changed.
struct SampleTrace {
    private let subject: Subject
    /// Newer than all in the database, the oldest first.
    private let unwritten: [DatedSample]
    /// How many of those are past.
    private var passed = 0
    private var current: DatedSample?
    /// Nothing changes before.
    private var next = Int64.min

    init(of subject: Subject, unwritten: [DatedSample]) {
        self.subject = subject
        self.unwritten = unwritten
    }

    var sample: Sample { current?.sample ?? .unknown }

    /// Returns what came into force since the last move, if anything did.
    mutating func move(to time: Int64, in store: borrowing SampleStore) throws(DatabaseError) -> DatedSample? {
        if time < next { return nil }
        while passed < unwritten.count, unwritten[passed].at <= time { passed += 1 }
        let found = passed > 0 ? unwritten[passed - 1] : try store.sample(of: subject, at: time)
        guard let found, found != current else {
            let written = passed > 0 ? nil : try store.next(of: subject, after: time)
            next = min(written ?? .max, passed < unwritten.count ? unwritten[passed].at : .max)
            return nil
        }
        current = found
        return found
    }
}
