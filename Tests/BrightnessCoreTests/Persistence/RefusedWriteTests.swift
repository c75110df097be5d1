// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore

@Suite struct RefusedWriteTests {
    /// Keeps each record with the number of the panel's writes at that time.
    private final class Journal: DisplayJournal {
        private let panel: ScriptedPanel
        private let kept = Mutex<[(record: DisplayRecord, writes: Int)]>([])

        init(_ panel: ScriptedPanel) { self.panel = panel }

        func keep(_ record: DisplayRecord, safeFrom danger: Danger, completion: @escaping @Sendable () -> Void) {
            keepSoon(record)
            completion()
        }

        func keepSoon(_ record: DisplayRecord) { kept.withLock { $0.append((record, panel.writes.count)) } }

        /// The newest record before the panel's write with this index.
        func record(before write: Int) -> DisplayRecord? {
            kept.withLock { $0.last { $0.writes <= write }?.record }
        }
    }

    @Test func `a crash at any write after a rejected one finds a record that explains the step`() throws {
        let panel = ScriptedPanel(.left, range: BrightnessRange(maximum: 100)!, step: 30)
        let journal = Journal(panel)
        let queue = ManualQueue()
        let hub = NotificationHub()
        let service = try DisplayService(
            [DisplayService.PanelRegistration(panel, on: queue)],
            .init(journal: journal),
            poster: hub.poster,
            at: .start
        )
        func submit(_ action: Command.Action, at now: Moment) {
            service.submit(Command(action), to: .left, at: now) { _ in }
            queue.runAll()
        }
        submit(.boost(0.5, by: "a", for: .seconds(5)), at: .start)
        submit(.boost(0.33, by: "b"), at: .start)
        panel.failWrites(.refused, times: 2, takingStep: true)
        submit(.set(0.9), at: .after(.seconds(10)))

        #expect(panel.writes == [50, 90, 33])
        for (index, step) in panel.writes.enumerated() {
            let record = try #require(journal.record(before: index))
            #expect(record.explains(step, rounding: false), "\(step) of \(record)")
        }
        // The rejected step does not come back.
        #expect(journal.record(before: 2)?.baselineStep == 30)
    }
}
