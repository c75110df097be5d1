// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The samples in a database. One thread at a time.
struct SampleTable {
    private let putSample: Statement
    private let sampleBefore: Statement
    private let extent: Statement
    private let timeAfter: Statement
    private let displays: Statement
    private let removeAfter: Statement
    private let thin: Statement
    private let thinnedUntil: Statement
    private let putThinnedUntil: Statement

    init(_ database: SQLiteConnection) throws(DatabaseError) {
        putSample = try database.prepare(
            """
            INSERT OR REPLACE INTO sample (display, at, brightness, baseline, is_on, illuminance)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """
        )
        sampleBefore = try database.prepare(
            """
            SELECT at, brightness, baseline, is_on, illuminance FROM sample
            WHERE display = ?1 AND at <= ?2 ORDER BY at DESC LIMIT 1
            """
        )
        extent = try database.prepare(
            "SELECT min(brightness), max(brightness) FROM sample WHERE display = ?1 AND at > ?2 AND at <= ?3"
        )
        timeAfter = try database.prepare("SELECT min(at) FROM sample WHERE display = ?1 AND at > ?2")
        // One seek for each. No name passes through a string, which would change one that is not UTF-8.
        displays = try database.prepare(
            """
            WITH RECURSIVE name (text) AS (
                SELECT min(display) FROM sample
                UNION ALL
                SELECT (SELECT min(display) FROM sample WHERE display > text) FROM name WHERE text IS NOT NULL
            )
            SELECT text FROM name WHERE text IS NOT NULL
            """
        )
        removeAfter = try database.prepare("DELETE FROM sample WHERE display = ?1 AND at > ?2")
        // From ?2 to ?3, of the samples in one step of ?4 milliseconds only the last one stays.
        thin = try database.prepare(
            """
            DELETE FROM sample WHERE display = ?1 AND at > ?2 AND at <= ?3 AND EXISTS (
                SELECT 1 FROM sample AS later
                WHERE later.display = ?1 AND later.at > sample.at
                    AND later.at <= min(?3, (sample.at + ?4 - 1) / ?4 * ?4)
            )
            """
        )
        thinnedUntil = try database.prepare("SELECT until_at FROM thinned WHERE step = ?1")
        putThinnedUntil = try database.prepare("INSERT OR REPLACE INTO thinned (step, until_at) VALUES (?1, ?2)")
    }

    func put(_ dated: DatedSample, of subject: Subject) throws(DatabaseError) {
        try putSample.run(
            .text(subject.name),
            .integer(dated.at),
            .real(dated.sample.brightness?.fraction),
            .real(dated.sample.baseline?.fraction),
            .flag(dated.sample.isOn),
            .real(dated.sample.illuminance?.lux)
        )
    }

    /// Returns the sample in force at a time; `nil` before the first one. An invalid row counts as unknown.
    func sample(of subject: Subject, at time: Int64) throws(DatabaseError) -> DatedSample? {
        try sampleBefore.only(.text(subject.name), .integer(time)) { row in
            DatedSample(
                at: row.date(0) ?? time,
                sample: Sample(
                    brightness: row.brightness(1),
                    baseline: row.brightness(2),
                    isOn: row.flag(3),
                    illuminance: row.real(4).flatMap { Illuminance(lux: $0) }
                )
            )
        }
    }

    /// Returns the lowest and the highest brightness of the samples after one time, up to another one.
    func extent(of subject: Subject, after from: Int64, to: Int64) throws(DatabaseError) -> [Brightness] {
        try extent.only(.text(subject.name), .integer(from), .integer(to)) { $0.brightnesses } ?? []
    }

    func next(of subject: Subject, after time: Int64) throws(DatabaseError) -> Int64? {
        try timeAfter.only(.text(subject.name), .integer(time)) { $0.date(0) }
    }

    /// Returns all subjects without those whose name is invalid.
    func subjects() throws(DatabaseError) -> [Subject] {
        try displays.all { row in row.text(0).flatMap { Subject(name: $0) } }
    }

    func newest(of subject: Subject) throws(DatabaseError) -> DatedSample? { try sample(of: subject, at: .max) }

    /// Deletes later samples.
    func forget(_ subject: Subject, after time: Int64) throws(DatabaseError) {
        try removeAfter.run(.text(subject.name), .integer(time))
    }

    /// Returns the time of the last thinning; `nil` before the first one.
    func lastThinning() throws(DatabaseError) -> Int64? {
        guard let last = RetentionTier.all.last else { return nil }
        // The last tier thins up to `oldest` before the time of the thinning.
        return try thinnedUntil.only(.integer(last.step)) { $0.date(0) }.map { $0 + RetentionTier.oldest }
    }

    /// Thins the samples that have reached the age of a tier since the last time.
    func thin(_ subjects: [Subject], at now: Int64) throws(DatabaseError) {
        for tier in RetentionTier.all {
            let limit = tier.limit(at: now)
            let start = tier.isLast ? .min : try thinnedUntil.only(.integer(tier.step)) { $0.date(0) } ?? .min
            if start == limit { continue }
            for subject in subjects {
                try thin.run(.text(subject.name), .integer(start), .integer(limit), .integer(tier.step))
            }
            try putThinnedUntil.run(.integer(tier.step), .integer(limit))
        }
    }
}

/// A position in a subject's samples that moves forward in time. A move costs at most two seeks in the database, and
/// none without a change.
struct SampleCursor {
    private let subject: Subject
    /// Newer than all samples in the database, the oldest first.
    private let unwritten: [DatedSample]
    /// The number of unwritten samples before the position.
    private var passed = 0
    private var current: DatedSample?
    /// The time of the next sample, at which `current` ends; in the past until it is looked up.
    private var next = Int64.min

    init(of subject: Subject, unwritten: [DatedSample]) {
        self.subject = subject
        self.unwritten = unwritten
    }

    var sample: Sample { current?.sample ?? .unknown }

    mutating func move(to time: Int64, in table: SampleTable) throws(DatabaseError) {
        if time < next { return }
        while passed < unwritten.count, unwritten[passed].at <= time { passed += 1 }
        let found = passed > 0 ? unwritten[passed - 1] : try table.sample(of: subject, at: time)
        // The next sample is looked up at the second move to this one: a cursor may leave most at the first.
        if let found, found != current {
            current = found
            return
        }
        let written = passed > 0 ? nil : try table.next(of: subject, after: time)
        next = min(written ?? .max, passed < unwritten.count ? unwritten[passed].at : .max)
    }
}

/// The resolution of the history from some age on. The last sample of each `step` is kept, because it is in force at
/// the end of the step. In milliseconds.
///
/// The steps of an older tier consist of whole steps of the younger one. A step excludes its start and includes its
/// end.
struct RetentionTier: Equatable {
    let age: Int64
    let step: Int64

    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute
    private static let day = 24 * hour

    /// Older samples are deleted.
    static let oldest = 365 * day

    static let all = [
        RetentionTier(age: hour, step: minute),
        RetentionTier(age: 7 * day, step: 15 * minute),
        // One step: of all older samples only the last one stays, because it may still be in force.
        RetentionTier(age: oldest, step: 1 << 52),
    ]

    var isLast: Bool { self == Self.all.last }

    /// The end of the last step that the tier applies to.
    func limit(at now: Int64) -> Int64 {
        let limit = now - age
        return isLast ? limit : limit - limit % step
    }
}
