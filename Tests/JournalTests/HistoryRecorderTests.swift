// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore
@testable import Journal

@Suite struct HistoryRecorderTests {
    private static let boot = BootClock(boot: "", origin: Moment.start.instant)

    let hub = NotificationHub()
    let clock = ManualClock()
    let queue = ManualQueue()

    private func journal(_ database: sending JournalDatabase) -> JournalWriter {
        JournalWriter(database, on: queue, poster: hub.poster, now: { [clock] in clock.moment })
    }

    private func recorder(_ journal: JournalWriter) -> HistoryRecorder {
        HistoryRecorder(journal, hub.source, leases: { _ in [] }, now: { [clock] in clock.moment })
    }

    private func recorder() -> HistoryRecorder { recorder(journal(JournalDatabase(inMemory: Self.boot))) }

    private func show(_ fraction: Double, at revision: UInt64 = 1) {
        hub.poster.post(.state(.shown(fraction, at: Revision(revision), clock.moment.wall)))
    }

    /// Queries the last seconds, and returns the answer.
    private func fractions(_ recorder: HistoryRecorder, seconds: Int = 0) throws -> [Double?]? {
        let answer = Mutex<History?>(nil)
        let (from, to) = (clock.moment.wall + .seconds(-seconds - 1), clock.moment.wall)
        let query = try HistoryQuery(HistoryFixture.display, from: from, to: to, step: 1)
        try recorder.read(query) { history in answer.withLock { $0 = history } }
        queue.runAll()
        return answer.withLock { $0 }?.fractions.dropFirst().map { $0 }
    }

    @Test func `a change a moment ago is in the answer`() throws {
        let recorder = recorder()
        show(0.5)
        #expect(try fractions(recorder) == [0.5])
        clock.advance(by: .seconds(1))
        show(0.7)
        #expect(try fractions(recorder, seconds: 1) == [0.5, 0.7])
    }

    @Test func `the recorder reads at once, then once a second, and writes once a minute`() async throws {
        let recorder = recorder()
        show(0.5)
        let task = Task { [clock] in await recorder.runDeadlines(on: clock) }
        // At once. After that read, a write is pending.
        #expect(try await clock.nextSleep() == clock.now + .seconds(1))
        queue.runAll()
        #expect(try await clock.nextSleep() == clock.now + .seconds(60))
        for index in 1...5 {
            for fraction in 1...100 { show(Double(fraction) / 1_000, at: UInt64(index)) }
            clock.advance(by: .seconds(1))
            #expect(try await clock.nextSleep() == clock.now + .seconds(1))
            #expect(queue.count == 1)
            queue.runAll()
        }
        // Without changes, the last read was empty, and the next wake is a write.
        clock.advance(by: .seconds(1))
        #expect(clock.sleepers == 1)
        clock.advance(by: .seconds(54))
        while queue.count == 0 { await Task.yield() }
        queue.runAll()
        #expect(clock.sleepers == 0)
        task.cancel()
        await task.value
    }

    @Test func `at the end everything is written, and the state is unknown`() throws {
        let folder = try TemporaryFolder()
        let file = JournalFile(directory: folder.path, clock: Self.boot)
        do {
            let journal = journal(try JournalDatabase(in: file, at: clock.moment))
            let recorder = recorder(journal)
            show(0.5)
            clock.advance(by: .seconds(10))
            recorder.end {}
            journal.end {}
            queue.runAll()
        }
        let samples = try SampleTable(SQLiteConnection(path: file.path))
        #expect(try samples.sample(of: .display(HistoryFixture.display), at: .max)?.sample == .unknown)
        let end = clock.moment.wall.milliseconds
        #expect(
            try samples.sample(of: .display(HistoryFixture.display), at: end - 1)?.sample.brightness?.fraction == 0.5
        )
    }

    @Test func `a record is written between two queries`() throws {
        let order = Mutex<[String]>([])
        @Sendable func note(_ word: String) { order.withLock { $0.append(word) } }
        let journal = journal(JournalDatabase(inMemory: Self.boot))
        let recorder = recorder(journal)
        let wall = clock.moment.wall
        let query = try HistoryQuery(HistoryFixture.display, from: wall, to: wall + .seconds(1))
        for number in 1...3 { try recorder.read(query) { _ in note("question \(number)") } }
        let record = DisplayRecord(id: HistoryFixture.display, maximum: 10, baseline: .full, baselineStep: 10)
        journal.keep(record, safeFrom: .crash) { note("record") }
        queue.runAll()
        #expect(order.withLock { $0 } == ["question 1", "record", "question 2", "question 3"])
    }

    @Test func `after a mailbox overflow the recorder ignores boosts for a minute`() throws {
        var listener = HistoryListener(hub.source) {}
        func boost(_ count: Int) {
            for number in 0..<count {
                let lease = Lease(
                    id: LeaseID("\(number)"),
                    display: HistoryFixture.display,
                    holder: nil,
                    grantedAt: clock.moment.wall,
                    brightness: .full,
                    reason: nil,
                    lifespan: .custom,
                    end: nil
                )
                hub.poster.post(.lease(LeaseEvent(lease, .released), at: Revision(1)))
            }
            show(0.5)
        }
        // The number of boosts in the notifications, and what they include: everything, no leases, or a restart.
        func drain() -> [Int] {
            let (notifications, content) = listener.drain(at: clock.now)
            #expect(notifications.contains { $0.kind == .state })
            return [notifications.count { $0.kind == .lease }, content == .whole ? 1 : content == .restarted ? -1 : 0]
        }
        boost(5)
        #expect(drain() == [5, 1])
        boost(Mailbox.limit + 1)
        #expect(drain() == [0, -1])
        boost(5)
        #expect(drain() == [0, 0])
        clock.advance(by: HistoryListener.pause)
        boost(5)
        #expect(drain() == [0, -1])
        boost(5)
        #expect(drain() == [5, 1])
    }

    @Test func `queries over the limit are rejected at once`() throws {
        let recorder = recorder()
        let wall = clock.moment.wall
        let query = try HistoryQuery(HistoryFixture.display, from: wall, to: wall + .seconds(1))
        let answers = Mutex<[Bool]>([])
        var rejections: [ProblemType] = []
        for _ in 0..<100 {
            do throws(Problem) {
                try recorder.read(query) { history in answers.withLock { $0.append(history != nil) } }
            } catch {
                rejections.append(error.type)
            }
        }
        #expect(rejections == Array(repeating: .serverLimitReached, count: 36))
        queue.runAll()
        #expect(answers.withLock { $0 } == Array(repeating: true, count: 64))
    }

    @Test func `a damaged history is lost, and no record is`() throws {
        let folder = try TemporaryFolder()
        let file = JournalFile(directory: folder.path, clock: Self.boot)
        let record = DisplayRecord(
            id: HistoryFixture.display,
            maximum: 10,
            baseline: .full,
            baselineStep: 10,
            ceiling: 10
        )
        do {
            let database = try JournalDatabase(in: file, at: clock.moment)
            database.write([record.id: record], at: clock.moment)
            database.close(at: clock.moment)
        }
        try folder.overwritePage(of: "sample", in: file.path)

        let journal = journal(try JournalDatabase(in: file, at: clock.moment))
        #expect(journal.recovered?[record.id]?.record == record)
        let recorder = recorder(journal)
        show(0.5)
        #expect(try fractions(recorder) == [0.5])
        guard case .journal(.recreated(let setAside, _)) = hub.source.retained(.journal) else {
            Issue.record("the damage was not posted")
            return
        }
        #expect(setAside?.hasPrefix(file.path) == true)
        clock.advance(by: .seconds(5))
        show(0.7, at: 2)
        #expect(try fractions(recorder, seconds: 5) == [0.5, 0.5, 0.5, 0.5, 0.5, 0.7])
        journal.end {}
        queue.runAll()
        var kept = DisplayRecords(Self.boot)
        let found = try JournalTables(SQLiteConnection(path: file.path), Self.boot).read()
        _ = kept.recover(found.documents, ofBoot: found.boot, at: clock.moment)
        #expect(kept.all[record.id]?.record == record)
    }
}

extension DisplayState {
    fileprivate static func shown(_ fraction: Double, at revision: Revision, _ wall: Timestamp) -> DisplayState {
        DisplayState(
            id: HistoryFixture.display,
            name: "Display",
            kind: .simulated,
            range: BrightnessRange(maximum: 1_000)!,
            brightness: Brightness(clamping: fraction),
            baseline: Brightness(clamping: fraction),
            step: 0,
            automatic: .off,
            cause: Cause(.api, at: wall),
            revision: revision
        )
    }
}
