// SPDX-License-Identifier: Apache-2.0
import Synchronization

extension DisplayService {
    /// Returns the displays whose panel blocks its queue for longer than `QueueWatchdog.timeout`. Call it regularly:
    /// each call pings the queues that answered the previous ping.
    package func stuckDisplays(at now: Instant) -> [DisplayID] {
        let workers = store.workers
        let due = watchdog.withLock { watchdog in
            watchdog.forget(allBut: Set(workers.map(\.id)))
            return workers.filter { watchdog.ask($0.id, at: now) }
        }
        for (id, worker) in due {
            worker.echo { [weak self] in self?.watchdog.withLock { $0.answered(id) } }
        }
        return watchdog.withLock { $0.stuck(at: now) }
    }
}

/// The queues with an unanswered ping. A queue without an answer for `timeout` is stuck. Time is an argument.
struct QueueWatchdog {
    /// Longer than any working panel blocks its queue. A monitor may wait for a search of all buses, for other
    /// monitors, and for its own retries: one minute in total.
    static let timeout: Duration = .seconds(120)

    private var asked: [DisplayID: Instant] = [:]

    /// Returns whether to ping the queue now: the previous ping was answered.
    mutating func ask(_ id: DisplayID, at now: Instant) -> Bool {
        if asked[id] != nil { return false }
        asked[id] = now
        return true
    }

    mutating func answered(_ id: DisplayID) { asked[id] = nil }

    /// Removes withdrawn displays: they cannot be stuck.
    mutating func forget(allBut ids: Set<DisplayID>) { asked = asked.filter { ids.contains($0.key) } }

    func stuck(at now: Instant) -> [DisplayID] {
        asked.filter { now - $0.value >= Self.timeout }.keys.sorted { $0.text < $1.text }
    }
}
