// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct NotificationHubConcurrencyTests {
    private let hub = NotificationHub()

    /// A counter of revisions like a store's: assigned and posted inside one lock.
    private final class Numbering: Sendable {
        private let last = Mutex<UInt64>(0)

        func post(_ id: DisplayID, to poster: NotificationPoster) {
            let wakes = last.withLock { last in
                last += 1
                return poster.put([.state(id, last)])
            }
            wakes()
        }
    }

    private let displays = (0..<6).map { DisplayID("display-\($0)")! }

    @Test func `a listener that drains at each wake sees ascending revisions, and the newest of every display`() {
        let rounds = 300
        let numbering = Numbering()
        // Drained on the posters' threads concurrently; the records' own lock keeps their order.
        let seen = (0..<4).map { _ in Collected<BrightnessCore.Notification>() }
        let listeners = Collected<Listener>()
        for (index, record) in seen.enumerated() {
            listeners.append(
                hub.source.listen(to: NotificationFilter([.state])) {
                    record.append { listeners.all[index].drain() }
                }
            )
        }
        onThreads(displays.count) { index in
            for _ in 0..<rounds { numbering.post(displays[index], to: hub.poster) }
        }
        for record in seen {
            let revisions = record.all.compactMap(\.revision)
            #expect(zip(revisions, revisions.dropFirst()).allSatisfy { $0 < $1 }, "revisions only grow")
            for id in displays {
                let last = record.all.last { $0.displayState?.id == id }
                #expect(last == hub.source.retained(.state, of: id))
            }
        }
        #expect(displays.compactMap { hub.source.retained(.state, of: $0)?.revision }.max() == UInt64(rounds * 6))
        listeners.removeAll()
    }

    @Test func `a new listener never starts behind an earlier read`() {
        let numbering = Numbering()
        let late = Collected<(read: UInt64, received: UInt64?)>()
        onThreads(4) { index in
            for _ in 0..<200 {
                numbering.post(displays[index % 2], to: hub.poster)
                let id = displays[(index + 1) % 2]
                guard let read = hub.source.retained(.state, of: id)?.revision else { continue }
                let listener = hub.source.listen(to: NotificationFilter([.state]), wake: {})
                let received = listener.drain().last { $0.displayState?.id == id }?.revision
                if received.map({ $0 < read }) ?? true { late.append((read, received)) }
            }
        }
        #expect(late.count == 0)
    }

    @Test func `below the limit transient notifications are delivered exactly once`() {
        let received = Collected<BrightnessCore.Notification>()
        let listeners = Collected<Listener>()
        listeners.append(
            hub.source.listen(to: NotificationFilter([.failure])) { received.append { listeners.all[0].drain() } }
        )
        onThreads(8) { index in
            for number in 0..<100 { hub.poster.post(.failure(index * 100 + number)) }
        }
        listeners.removeAll()
        #expect(received.count == 800)
        #expect(Set(received.all).count == 800)
    }

    @Test func `listeners may come and go while others post`() {
        onThreads(8) { index in
            for number in 0..<200 {
                if index % 2 == 0 {
                    hub.poster.post(.state(displays[index % 6], UInt64(number)), .failure(number))
                } else {
                    let listener = hub.source.listen(to: .all, wake: {})
                    if number % 2 == 0 { _ = listener.drain() }
                }
            }
        }
        let newcomer = hub.source.listen(to: .all, wake: {})
        #expect(newcomer.drain().compactMap(\.revision) == [199, 199, 199])
    }

    @Test func `every reader of a stream ends on the newest`() async {
        let source = hub.source
        let last: UInt64 = 500
        await withTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<8 {
                let notifications = source.notifications(of: NotificationFilter([.state]))
                group.addTask {
                    var revisions: [UInt64] = []
                    for await notification in notifications {
                        guard let revision = notification.revision else { continue }
                        revisions.append(revision)
                        if revision == last { break }
                    }
                    return revisions
                }
            }
            let poster = hub.poster
            group.addTask {
                for number in 1...last {
                    poster.post(.state(.left, number))
                    if number % 7 == 0 { await Task.yield() }
                }
                return [last]
            }
            for await revisions in group {
                #expect(revisions.last == last)
                #expect(zip(revisions, revisions.dropFirst()).allSatisfy { $0 < $1 })
            }
        }
    }
}
