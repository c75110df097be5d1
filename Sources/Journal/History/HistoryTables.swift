// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The tables of the history: samples, intervals of leases, and changes. One thread at a time.
final class HistoryTables {
    /// The maximum number of displays, and the light, that have samples. Beyond that the displays are forgotten that
    /// have been gone for longest: clients choose the ids of the displays that they provide.
    static let subjectLimit = 256

    private let database: SQLiteConnection
    private let clock: BootClock
    /// Whether they are a copy in memory: writes are lost.
    private let isCopy: Bool
    /// Whether the earlier run was in another boot of the machine.
    private let isOfOtherBoot: Bool
    let samples: SampleTable
    let intervals: LeaseIntervalTable
    let changes: ChangeTable
    /// Whether this run's history was connected to an earlier run's.
    private var isConnected = false
    /// The date of the newest sample of an earlier run; later samples are this run's.
    private var newestEarlier: Int64?

    /// Reads the boot of the earlier run, so it must precede `JournalTables.begin`.
    init(_ database: SQLiteConnection, _ clock: BootClock, isCopy: Bool = false) throws(DatabaseError) {
        (self.database, self.clock, self.isCopy) = (database, clock, isCopy)
        let earlier = try database.prepare("SELECT id FROM boot").only { $0.text(0) } ?? ""
        isOfOtherBoot = !earlier.isEmpty && !clock.boot.isEmpty && earlier != clock.boot
        samples = try SampleTable(database)
        intervals = try LeaseIntervalTable(database)
        changes = try ChangeTable(database)
    }

    /// Writes the unwritten part of memory and thins the tables, in one transaction.
    func write(_ memory: inout HistoryMemory, at now: Moment) throws(DatabaseError) {
        var isWritten = false
        try database.transaction { () throws(DatabaseError) in isWritten = try add(&memory, at: now) }
        guard isWritten else { return }
        isConnected = true
        memory.markWritten()
    }

    /// Connects, writes and thins. Returns `false` while the clock is not trusted, and then does nothing.
    private func add(_ memory: inout HistoryMemory, at now: Moment) throws(DatabaseError) -> Bool {
        let subjects = try samples.subjects()
        var newest = try newestDates(of: subjects)
        guard memory.clock.decideTrust(in: now, over: newest.values.max()) else { return false }
        if !isConnected {
            try connect(&memory, at: now)
            newest = try newestDates(of: subjects)
        }
        let limit = now.wall.milliseconds + HistoryClock.tolerance
        // This run has dated later rows by a wrong clock. Those of earlier runs may be right.
        let latest = max(limit, newestEarlier ?? limit)
        for (subject, at) in newest where at > limit {
            try samples.forget(subject, after: latest)
            if let display = subject.displayID { try intervals.forget(display, after: latest) }
            newest[subject] = try samples.sample(of: subject, at: now.wall.milliseconds)?.at
        }
        for (subject, track) in memory.samples where !track.isWritten {
            var last = newest[subject] ?? .min
            for dated in track.dated(at: now) {
                // A clock that was set back slightly does not change the order.
                last = max(dated.at, last + 1)
                try samples.put(DatedSample(at: last, sample: dated.sample), of: subject)
            }
        }
        for (display, row) in memory.unwrittenIntervals() { try intervals.put(row, of: display, at: now) }
        for change in memory.changes.dated(at: now) { try changes.put(change) }
        let time = memory.clock.thinningTime(at: now, after: try samples.lastThinning() ?? newestEarlier)
        try samples.thin(subjects, at: time)
        try intervals.thin(subjects.compactMap(\.displayID), at: time)
        try changes.thin(before: time - RetentionTier.oldest, after: latest)
        if subjects.count > Self.subjectLimit { try forgetGone(among: subjects) }
        return true
    }

    private func forgetGone(among subjects: [Subject]) throws(DatabaseError) {
        var gone: [(display: DisplayID, at: Int64)] = []
        for subject in subjects {
            guard let display = subject.displayID, let newest = try samples.newest(of: subject) else { continue }
            if newest.sample == .unknown { gone.append((display, newest.at)) }
        }
        for (display, _) in gone.sorted(by: { $0.at < $1.at }).prefix(subjects.count - Self.subjectLimit) {
            try samples.forget(.display(display), after: .min)
            try intervals.forget(display, after: .min)
            try changes.forget(display)
        }
    }

    private func newestDates(of subjects: [Subject]) throws(DatabaseError) -> [Subject: Int64] {
        var newest: [Subject: Int64] = [:]
        for subject in subjects { newest[subject] = try samples.newest(of: subject)?.at }
        return newest
    }

    /// Connects an earlier run's history to this run, once the clock is trusted. If the machine was restarted since
    /// then, the display's state is unknown from the last sample on. If only the daemon was restarted, the display kept
    /// its state.
    private func connect(_ memory: inout HistoryMemory, at now: Moment) throws(DatabaseError) {
        memory.markUnwritten()
        // The intervals of leases that go on are written again.
        try intervals.endAll(by: memory.begin.corrected(at: now).wall)
        let subjects = try samples.subjects()
        // Samples from before this date are of another boot, even if the table names this one, whose run wrote none.
        let restart = isOfOtherBoot ? now.wall.milliseconds + HistoryClock.tolerance : clock.start(at: now).milliseconds
        for subject in subjects {
            guard let newest = try samples.newest(of: subject), newest.at < restart, newest.sample != .unknown
            else { continue }
            try samples.put(DatedSample(at: newest.at + 1, sample: .unknown), of: subject)
        }
        newestEarlier = try newestDates(of: subjects).values.max()
    }

    // MARK: Reading

    /// The newest time that a right clock may have shown: that of a display's newest sample, at most that of the last
    /// thinning. A clock that was ahead for a while leaves later samples, but hardly ages the history.
    func newestTime() throws(DatabaseError) -> Timestamp? {
        let newest = try database.prepare(
            "SELECT max((SELECT max(at) FROM sample WHERE display = record.name)) FROM record WHERE kind = 'display'"
        ).only { $0.timestamp(0) }
        guard let newest, let thinned = try samples.lastThinning() else { return newest }
        return min(newest, Timestamp(milliseconds: thinned))
    }

    /// Answers a query, including the unwritten part. The first read connects an earlier run's history to this run, if
    /// the clock is trusted.
    func read(
        _ query: HistoryQuery,
        with memory: inout HistoryMemory,
        at now: Moment
    ) throws(DatabaseError) -> History {
        try writeConnection(&memory, at: now)
        var history = History()
        let end = min(query.to.milliseconds, now.wall.milliseconds)
        func unwritten(_ subject: Subject) -> [DatedSample] { memory.samples[subject]?.dated(at: now) ?? [] }
        let recent = unwritten(.display(query.display))
        var display = SampleCursor(of: .display(query.display), unwritten: recent)
        var light = SampleCursor(of: .light, unwritten: unwritten(.light))
        for time in query.times {
            if time <= end {
                try display.move(to: time, in: samples)
                try light.move(to: time, in: samples)
            }
            let sample = time <= end ? display.sample : .unknown
            history.points.append(
                History.Point(
                    at: Timestamp(milliseconds: time),
                    brightness: sample.brightness,
                    baseline: sample.baseline,
                    isOn: sample.isOn,
                    illuminance: time <= end ? light.sample.illuminance : nil
                )
            )
        }
        let from = query.from.milliseconds
        let levels =
            history.points.prefix(1).compactMap(\.brightness)
            + recent.filter { $0.at > from && $0.at <= end }.compactMap(\.sample.brightness)
            + (try samples.extent(of: .display(query.display), after: from, to: end))
            // The samples of older times are thinned.
            + (try changes.extent(of: query.display, after: from, to: end))
        if let lowest = levels.min(), let highest = levels.max() { history.extent = lowest...highest }
        let rows = memory.intervals[query.display]?.rows ?? []
        let written = try intervals.ended(in: query, except: Set(rows.map(\.lease)))
        let current = rows.map { $0.dated(at: now) }.filter { $0.overlaps(query) }
        let leases = (written + current).sorted { $0.from < $1.from }
        history.leases = leases.suffix(History.leaseLimit)
        history.isTruncated = leases.count > History.leaseLimit
        return history
    }

    /// Answers a query for changes, the newest first, including the unwritten ones.
    func read(
        _ query: ChangesQuery,
        with memory: inout HistoryMemory,
        at now: Moment
    ) throws(DatabaseError) -> [DisplayChange] {
        try writeConnection(&memory, at: now)
        let unwritten = memory.changes.dated(at: now).reversed().filter { query.includes($0) }.prefix(query.limit)
        if unwritten.count == query.limit { return Array(unwritten) }
        return try unwritten + changes.newest(query, limit: query.limit - unwritten.count)
    }

    /// Writes what connects an earlier run's history to this run, unless that is done or cannot be.
    private func writeConnection(_ memory: inout HistoryMemory, at now: Moment) throws(DatabaseError) {
        if isConnected || isCopy { return }
        do throws(DatabaseError) {
            try write(&memory, at: now)
        } catch  where !error.condemnsFile {
            // Unwritten samples and changes are still in memory, and the rest can be read.
        }
    }
}

extension ChangesQuery {
    fileprivate func includes(_ change: DisplayChange) -> Bool {
        let at = change.cause.at
        return display.map { $0 == change.display } ?? true
            && from.map { $0 <= at } ?? true && to.map { at <= $0 } ?? true
    }
}

extension LeaseInterval {
    fileprivate func overlaps(_ query: HistoryQuery) -> Bool {
        from <= query.to && to.map { $0 >= query.from } ?? true
    }
}
