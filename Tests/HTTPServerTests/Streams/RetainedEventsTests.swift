// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

@Suite struct RetainedEventsTests {
    static func event(
        _ key: String,
        order: UInt64,
        name: String = "brightness",
        hasID: Bool = true,
        isRetained: Bool = true,
        endsSubject: Bool = false,
        of subject: String? = nil,
        labels: [String]? = nil
    ) -> Event {
        Event(
            key: key,
            name: name,
            subject: subject ?? key,
            labels: labels,
            id: hasID ? "e-\(order)" : nil,
            order: order,
            data: Array("{\"order\":\(order)}".utf8),
            isRetained: isRetained,
            endsSubject: endsSubject
        )
    }

    @Test func `a newer event replaces the older one of its key`() {
        var retained = RetainedEvents()
        let first = post(&retained, Self.event("a", order: 1))
        let second = post(&retained, Self.event("a", order: 2))
        #expect(first == second)
        #expect(retained[first]?.event.order == 2)
    }

    @Test func `the newest event is encoded, whether or not an older encoding is still kept`() {
        var retained = RetainedEvents()
        let handles = (1...2 * RetainedEvents.encodedKept).map {
            post(&retained, Self.event("\($0)", order: UInt64($0)))
        }
        for _ in 1...2 {
            for (index, handle) in handles.enumerated() {
                let bytes = retained.encoded(handle, as: .plain)
                #expect(String(decoding: bytes, as: UTF8.self).contains("{\"order\":\(index + 1)}\n"))
            }
        }
        let handle = post(&retained, Self.event("7", order: 9_999))
        #expect(handle == handles[6])
        #expect(String(decoding: retained.encoded(handle, as: .plain), as: UTF8.self).contains("{\"order\":9999}"))
        #expect(retained.encoded(handle, as: .plain) != retained.encoded(handle, as: .chunked))
    }

    /// The end of a subject must not visit the events of others: a building's displays may all end at once.
    @Test func `the cost of the end of a subject does not grow with the other subjects`() {
        func cost(of count: Int) -> Duration {
            var retained = RetainedEvents()
            for number in 1...count { _ = retained.post(Self.event("\(number)", order: UInt64(number))) }
            return ContinuousClock().measure {
                for number in 1...count {
                    _ = retained.post(
                        Self.event("end", order: 0, isRetained: false, endsSubject: true, of: "\(number)")
                    )
                }
                #expect(retained.events(for: EventFilter()).isEmpty)
            }
        }
        // It would be 16 times as much. The machine may be busy, so one try of several is enough.
        #expect((1...5).contains { _ in cost(of: 8_000) < cost(of: 2_000) * 9 })
    }

    @Test func `the end of a subject removes all of its events, and no others`() {
        var retained = RetainedEvents()
        let handles = ["a", "b", "c"].map { post(&retained, Self.event($0, order: 1, of: "one")) }
        let other = post(&retained, Self.event("d", order: 1, of: "other"))
        // One of its events is not retained any longer, and one is of the other subject.
        _ = retained.post(Self.event("b", order: 2, isRetained: false, of: "one"))
        _ = retained.post(Self.event("c", order: 2, of: "other"))
        _ = retained.post(Self.event("end", order: 3, isRetained: false, endsSubject: true, of: "one"))
        #expect(retained[handles[0]] == nil)
        #expect(retained[handles[2]] != nil && retained[other] != nil)
        _ = retained.post(Self.event("end", order: 4, isRetained: false, endsSubject: true, of: "other"))
        #expect(retained[handles[2]] == nil && retained[other] == nil)
        _ = retained.post(Self.event("a", order: 5, of: "one"))
        #expect(retained.contains(Self.event("a", order: 5, of: "one")))
    }

    @Test func `the same retained event is recognized, and no other`() {
        var retained = RetainedEvents()
        _ = retained.post(Self.event("a", order: 1))
        #expect(retained.contains(Self.event("a", order: 1)))
        #expect(!retained.contains(Self.event("a", order: 2)))
        #expect(!retained.contains(Self.event("b", order: 1)))
    }

    @Test func `a beginning forgets every event, and reuses the slots`() {
        var retained = RetainedEvents()
        let old = post(&retained, Self.event("old", order: 1))
        let end = post(&retained, Self.event("end", order: 2, isRetained: false))
        retained.removeAll(endsKnownSince: 0)
        #expect(retained[old] == nil && retained[end] == nil)
        #expect(keys(retained) == [])
        let new = (post(&retained, Self.event("new", order: 3)), post(&retained, Self.event("old", order: 1)))
        #expect([new.0.slot, new.1.slot] == [old.slot, end.slot])
        #expect(retained[old] == nil && retained[end] == nil)
        #expect(keys(retained) == ["old", "new"])
    }

    @Test func `the end of a subject removes all its retained events`() {
        var retained = RetainedEvents()
        let state = post(&retained, Self.event("state", order: 1, of: "left"))
        let lease = post(&retained, Self.event("lease", order: 2, of: "left"))
        _ = retained.post(Self.event("other", order: 3, of: "right"))
        let end = post(&retained, Self.event("end", order: 4, isRetained: false, endsSubject: true, of: "left"))
        #expect(retained[state] == nil && retained[lease] == nil)
        #expect(retained[end]?.event.key == "end")
        #expect(keys(retained) == ["other"])
        _ = retained.post(Self.event("state", order: 5, of: "left"))
        #expect(keys(retained) == ["other", "state"])
    }

    @Test func `a new stream receives the leases, then the states, oldest first, and then the rest`() {
        var retained = RetainedEvents()
        _ = retained.post(Self.event("health", order: .max, name: "health", hasID: false))
        _ = retained.post(Self.event("lease", order: 1, name: "boost", hasID: false))
        _ = retained.post(Self.event("a", order: 5))
        _ = retained.post(Self.event("b", order: 3))
        _ = retained.post(Self.event("gone", order: 6, name: "boost", hasID: false, isRetained: false))
        #expect(keys(retained) == ["lease", "b", "a", "health"])
        #expect(keys(retained, .after(3)) == ["gone", "a", "health"])
        #expect(keys(retained, of: EventFilter(types: ["boost"])) == ["lease"])
        #expect(keys(retained, .after(4), of: EventFilter(subjects: [SubjectSet(names: ["a", "b"])])) == ["a"])
    }

    @Test func `a client that resumes after any event of a beginning receives the events behind it`() {
        var retained = RetainedEvents()
        for order in stride(from: UInt64(1), to: 9, by: 2) {
            _ = retained.post(Self.event("lease \(order)", order: order, name: "boost", hasID: false))
            _ = retained.post(Self.event("state \(order)", order: order + 1))
        }
        let beginning = retained.beginning(EventFilter(), .everything).events.compactMap { retained[$0.handle]?.event }
        for (index, event) in beginning.enumerated() where event.id != nil {
            #expect(Set(keys(retained, .after(event.order))).isSuperset(of: beginning.dropFirst(index + 1).map(\.key)))
        }
    }

    @Test func `an event that ends a key leaves nothing for new streams`() {
        var retained = RetainedEvents()
        _ = retained.post(Self.event("lease", order: 1))
        let end = post(&retained, Self.event("lease", order: 2, isRetained: false))
        #expect(keys(retained).isEmpty)
        #expect(retained[end]?.event.order == 2)
    }

    /// Returns the events with which a stream begins.
    private func keys(
        _ retained: RetainedEvents,
        _ start: StreamStart = .everything,
        of filter: EventFilter = EventFilter()
    )
        -> [String]
    {
        let (isReset, events) = retained.beginning(filter, start)
        return (isReset ? ["reset"] : []) + events.compactMap { retained[$0.handle]?.event.key }
    }

    private func end(_ number: Int, order: UInt64? = nil) -> Event {
        Self.event("lease-\(number)", order: order ?? UInt64(number + 1), isRetained: false)
    }

    @Test func `ends stay available for slow clients in a bounded number`() {
        var retained = RetainedEvents()
        let first = post(&retained, end(0))
        for number in 1..<RetainedEvents.passingKept { _ = retained.post(end(number)) }
        retained.forgetPassing(areAwaited: false)
        #expect(retained[first]?.event.key == "lease-0")
        let newest = post(&retained, end(1_000))
        retained.forgetPassing(areAwaited: false)
        #expect(retained[first] == nil)
        #expect(retained[newest]?.event.key == "lease-1000")
        #expect(retained.lastForgotten == 1)
    }

    @Test func `an end that a stream awaits is kept up to a limit`() {
        var retained = RetainedEvents()
        let first = post(&retained, end(0))
        for number in 1..<RetainedEvents.passingLimit { _ = retained.post(end(number)) }
        retained.forgetPassing(areAwaited: true)
        #expect(retained[first]?.event.key == "lease-0")
        #expect(retained.lastForgotten == 0)
        _ = retained.post(end(10_000))
        retained.forgetPassing(areAwaited: true)
        #expect(retained[first] == nil)
        #expect(retained.lastForgotten == 1)
    }

    @Test func `an event for connected clients only takes no place among the ends once they have it`() {
        var retained = RetainedEvents()
        _ = retained.post(end(7, order: 1))
        for _ in 0..<2 * RetainedEvents.passingKept {
            let failure = post(&retained, Self.event("failure", order: 0, isRetained: false))
            retained.forgetPassing(areAwaited: true)
            #expect(retained[failure] != nil)
            retained.forgetPassing(areAwaited: false)
            #expect(retained[failure] == nil)
        }
        #expect(keys(retained, .after(0)) == ["lease-7"])
        #expect(retained.lastForgotten == 0)
    }

    @Test func `a reused slot is not mistaken for its earlier event`() {
        var retained = RetainedEvents()
        let old = post(&retained, end(0))
        for number in 1...RetainedEvents.passingKept { _ = retained.post(end(number)) }
        retained.forgetPassing(areAwaited: false)
        let reused = post(&retained, Self.event("fresh", order: 2_000))
        #expect(reused.slot == old.slot)
        #expect(retained[old] == nil)
        #expect(retained[reused]?.event.key == "fresh")
    }

    @Test func `a reconnecting client receives the ends it missed, then newer events`() {
        var retained = RetainedEvents()
        _ = retained.post(Self.event("old", order: 1))
        _ = retained.post(end(7, order: 2))
        _ = retained.post(end(8, order: 4))
        _ = retained.post(Self.event("plugged in", order: 0, isRetained: false))
        _ = retained.post(Self.event("new", order: 5))
        #expect(keys(retained, .after(3)) == ["lease-8", "new"])
        #expect(keys(retained, .after(1)) == ["lease-7", "lease-8", "new"])
        #expect(keys(retained, .after(5)) == [])
        let filter = EventFilter(subjects: [SubjectSet(names: ["lease-7", "old"])])
        #expect(keys(retained, .after(1), of: filter) == ["lease-7"])
        #expect(keys(retained) == ["old", "new"])
    }

    @Test func `a client that missed forgotten ends receives the reset event`() {
        var retained = RetainedEvents()
        _ = retained.post(Self.event("old", order: 1))
        for number in 1...RetainedEvents.passingKept + 1 { _ = retained.post(end(number)) }
        retained.forgetPassing(areAwaited: false)
        #expect(keys(retained, .after(1)) == ["reset", "old"])
        #expect(keys(retained, .after(2)).count == RetainedEvents.passingKept)
        #expect(keys(retained, .reset) == ["reset", "old"])
        #expect(keys(retained, .reset, of: EventFilter(types: ["brightness"])) == ["old"])
    }

    @Test func `ends in a complete batch serve reconnecting clients as far as they are known`() {
        var retained = RetainedEvents()
        _ = retained.post(end(1))
        retained.removeAll(endsKnownSince: 2)
        _ = retained.post(end(2, order: 3))
        #expect(keys(retained, .after(2)) == ["lease-2"])
        #expect(keys(retained, .after(1)) == ["reset"])
        #expect(keys(retained) == [])
    }

    private func post(_ retained: inout RetainedEvents, _ event: Event) -> RetainedEvents.Handle {
        retained.post(event).handle
    }
}
