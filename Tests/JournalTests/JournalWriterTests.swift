// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore
@testable import Journal

/// Records are written on the journal's queue, which the test runs.
@Suite struct JournalWriterTests {
    private let queue = ManualQueue()
    private let hub = NotificationHub()
    private let writer: JournalWriter
    private let calls = Calls()

    /// The names of the completions, in the order in which they were called.
    private final class Calls: Sendable {
        private let names = Mutex<[String]>([])

        var all: [String] { names.withLock { $0 } }

        func add(_ name: String) { names.withLock { $0.append(name) } }
    }

    init() {
        let clock = BootClock(boot: "boot", origin: Moment.start.instant)
        writer = JournalWriter(JournalDatabase(inMemory: clock), on: queue, poster: hub.poster, now: { .start })
    }

    private func record(_ name: String, baselineStep: Int) -> DisplayRecord {
        DisplayRecord(
            id: DisplayID(name)!,
            maximum: 100,
            baseline: Brightness(clamping: Double(baselineStep) / 100),
            baselineStep: baselineStep
        )
    }

    @Test func `all waiting records are written by one job, and every completion is called once`() {
        for step in 1...3 {
            writer.keep(record("a", baselineStep: step), safeFrom: .crash) { [calls] in calls.add("a\(step)") }
        }
        writer.keep(record("b", baselineStep: 9), safeFrom: .crash) { [calls] in calls.add("b") }
        #expect(queue.count == 1)
        #expect(calls.all == [])
        queue.runAll()
        #expect(calls.all == ["a1", "a2", "a3", "b"])
        writer.keep(record("a", baselineStep: 4), safeFrom: .crash) { [calls] in calls.add("a4") }
        queue.runAll()
        #expect(calls.all == ["a1", "a2", "a3", "b", "a4"])
    }

    @Test func `a record without a completion is queued for writing after one second`() async throws {
        let clock = ManualClock()
        let runner = Task { await writer.runDeadlines(on: clock) }
        writer.keepSoon(record("a", baselineStep: 1))
        #expect(queue.count == 0)
        #expect(try await clock.nextSleep() == Moment.after(.seconds(1)).instant)
        clock.advance(by: .seconds(1))
        writer.keepSoon(record("a", baselineStep: 2))
        #expect(try await clock.nextSleep() == Moment.after(.seconds(2)).instant)
        #expect(queue.count == 1)
        runner.cancel()
        await runner.value
    }

    @Test func `opening an unwritable file is retried each second until it succeeds`() async throws {
        let (disk, clock) = (ScriptedDisk(), ManualClock())
        disk.isMounted = false
        let writer = try JournalWriter(
            in: "/state",
            BootClock(boot: "boot", origin: Moment.start.instant),
            on: queue,
            disk: disk,
            poster: hub.poster,
            now: { clock.moment }
        )
        #expect(writer.recovered?.isEmpty == true)
        #expect(health?.isFailing == true)
        let runner = Task { await writer.runDeadlines(on: clock) }
        for second in 1...3 {
            #expect(try await clock.nextSleep() == Moment.after(.seconds(second)).instant)
            if second == 3 { disk.isMounted = true }
            clock.advance(by: .seconds(1))
            while queue.count == 0 { await Task.yield() }
            queue.runAll()
            #expect(health?.isFailing == (second < 3))
        }
        runner.cancel()
        await runner.value
    }

    /// The record and the settings of the display that the journal has.
    private func stored() -> (record: DisplayRecord?, settings: DisplaySettings?) {
        let stored = Mutex<(DisplayRecord?, DisplaySettings?)>((nil, nil))
        writer.enqueue { database in
            let document = database.documents[RecordKey(SettingsRecord.kind, "a")]
            return (
                database.records?[DisplayID("a")!]?.record,
                document.flatMap { SettingsRecord(kept: $0, under: "a")?.settings }
            )
        } completion: { found in
            stored.withLock { $0 = found }
        }
        queue.runAll()
        return stored.withLock { $0 }
    }

    @Test(arguments: [false, true])
    func `of settings in a document and in a record of one job, the later ones stay`(isRecordLast: Bool) {
        let writer = writer
        var record = record("a", baselineStep: 1)
        record.settings.name = DisplayName("record")
        let document = SettingsRecord(record.id, DisplaySettings(name: DisplayName("document")))
        let changes = [
            { writer.keep(document, under: "a") {} }, { [record] in writer.keep(record, safeFrom: .crash) {} },
        ]
        for change in isRecordLast ? changes : changes.reversed() { change() }
        #expect(queue.count == 1)
        let name = DisplayName(isRecordLast ? "record" : "document")
        let (found, settings) = stored()
        #expect(found?.settings.name == name && settings?.name == name)
    }

    @Test func `a display that returns before its removal was written keeps its record`() {
        writer.keep(record("a", baselineStep: 1), safeFrom: .crash) {}
        writer.forget(DisplayID("a")!)
        writer.keep(record("a", baselineStep: 2), safeFrom: .crash) {}
        #expect(stored().record?.baselineStep == 2)
        writer.keepSoon(record("a", baselineStep: 3))
        writer.forget(DisplayID("a")!)
        #expect(stored().record == nil)
    }

    private var health: JournalHealth? {
        if case .journal(let health) = hub.source.retained(.journal) { health } else { nil }
    }

    @Test func `the journal posts its health at the start`() {
        #expect(hub.source.retained(.journal) == .journal(.durable))
    }
}

extension JournalHealth {
    fileprivate var isFailing: Bool { if case .failing = self { true } else { false } }
}
