// SPDX-License-Identifier: Apache-2.0
import Synchronization

extension DisplayService {
    /// The displays whose panel has kept its queue for longer than any that works. To be called regularly: each call asks the queues that
    /// have answered the calls before.
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

/// The queues that were asked and have not answered; after `timeout` a queue is stuck. Rules only; time is an argument.
struct QueueWatchdog {
    /// Longer than any panel that works keeps its queue: a monitor may have to wait for a search of all buses, for others, and
    /// for all tries of its own, which are a minute together.
    static let timeout: Duration = .seconds(120)

    private var asked: [DisplayID: Instant] = [:]

    /// Returns whether the queue is to be asked now: it has answered before.
    mutating func ask(_ id: DisplayID, at now: Instant) -> Bool {
        if asked[id] != nil { return false }
        asked[id] = now
        return true
    }

    mutating func answered(_ id: DisplayID) { asked[id] = nil }

    /// A display that was withdrawn cannot be stuck.
    mutating func forget(allBut ids: Set<DisplayID>) { asked = asked.filter { ids.contains($0.key) } }

    func stuck(at now: Instant) -> [DisplayID] {
        asked.filter { now - $0.value >= Self.timeout }.keys.sorted { $0.text < $1.text }
    }
}
