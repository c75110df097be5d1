// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

@testable import HTTPServer

/// Filters by labels: the labels of an event's subject at that moment.
@Suite struct SubjectLabelTests {
    private var retained = RetainedEvents(.json)
    private let hall = EventFilter(subjects: [SubjectSet(labels: ["hall"])])

    /// Returns whether streams with the filter receive the event as news.
    private mutating func reaches(_ filter: EventFilter, _ event: Event) -> Bool {
        let (handle, _) = retained.post(event)
        return retained[handle].map { retained.delivery(of: $0, to: filter) != .excluded } ?? false
    }

    private func subjects(_ filter: EventFilter) -> [String?] {
        retained.events(for: filter).map { retained[$0.handle]?.event.subject }
    }

    private func state(_ subject: String, order: UInt64, _ labels: [String]) -> Event {
        RetainedEventsTests.event(subject, order: order, of: subject, labels: labels)
    }

    private func lease(of subject: String, order: UInt64) -> Event {
        RetainedEventsTests.event("lease/\(subject)", order: order, name: "boost", of: subject)
    }

    private func end(of subject: String, order: UInt64) -> Event {
        RetainedEventsTests.event(
            "end/\(subject)",
            order: order,
            name: "display",
            isRetained: false,
            endsSubject: true,
            of: subject
        )
    }

    @Test mutating func `events without labels have those of their subject`() {
        #expect(reaches(hall, state("a", order: 1, ["floor1", "hall"])))
        #expect(!reaches(hall, state("b", order: 2, ["floor1"])))
        #expect(reaches(hall, lease(of: "a", order: 3)))
        #expect(!reaches(hall, lease(of: "b", order: 4)))
        #expect(subjects(hall) == ["a", "a"])
        let both = EventFilter(subjects: [
            SubjectSet(globs: [Glob("b*")], labels: ["hall"]), SubjectSet(labels: ["floor1"]),
        ])
        #expect(Set(subjects(both)) == ["a", "b"])
    }

    @Test mutating func `a subject that loses a label is reported once more, and then no longer`() {
        #expect(reaches(hall, state("a", order: 1, ["hall"])))
        #expect(reaches(hall, state("a", order: 2, [])))
        #expect(!reaches(hall, state("a", order: 3, [])))
        #expect(subjects(hall) == [])
        #expect(reaches(hall, state("a", order: 4, ["hall"])))
        #expect(subjects(hall) == ["a"])
    }

    @Test mutating func `the end of a subject reaches streams of its last labels, also those that resume`() {
        _ = reaches(hall, state("a", order: 1, ["hall"]))
        _ = reaches(hall, state("b", order: 2, ["lobby"]))
        #expect(reaches(hall, end(of: "a", order: 3)))
        #expect(!reaches(hall, end(of: "b", order: 4)))
        let missed = retained.beginning(hall, .after(2)).events
        #expect(missed.map { retained[$0.handle]?.event.key } == ["end/a"])
        #expect(!reaches(hall, state("a", order: 5, [])))
    }

    @Test mutating func `a beginning has the labels of its own subjects only`() {
        _ = reaches(hall, state("a", order: 1, ["hall"]))
        _ = reaches(hall, state("b", order: 2, ["hall"]))
        retained.removeAll(endsKnownSince: 2)
        _ = reaches(hall, state("a", order: 1, ["hall"]))
        #expect(subjects(hall) == ["a"])
        #expect(!reaches(hall, lease(of: "b", order: 3)))
    }

    // MARK: Streams that resume, and those that a delivery has not reached

    /// The events with which a stream begins that has everything up to `order`.
    private func news(_ filter: EventFilter, after order: UInt64) -> [String?] {
        retained.beginning(filter, .after(order)).events.map { retained[$0.handle]?.event.key }
    }

    private mutating func post(_ event: Event, insteadOfUnsent replacesUnsent: Bool = false) -> RetainedEvents.Entry? {
        let (handle, _) = retained.post(event, insteadOfUnsent: replacesUnsent)
        return retained[handle]
    }

    @Test mutating func `a subject that left a filter while its client was away is reported, and others are not`() {
        for subject in ["a", "b", "c"] { _ = post(state(subject, order: 1, ["hall"])) }
        retained.markComplete()
        _ = post(state("a", order: 2, ["lobby"]))
        _ = post(state("b", order: 3, ["hall", "floor1"]))
        _ = post(state("a", order: 4, ["lobby", "floor1"]))
        _ = post(state("d", order: 5, ["lobby"]))
        #expect(news(hall, after: 1) == ["b", "a"])
        // It was reported as left already.
        #expect(news(hall, after: 3) == [])
        #expect(news(EventFilter(), after: 1) == ["b", "a", "d"])
    }

    @Test mutating func `a subject that entered a filter while its client was away comes with its older events`() {
        _ = post(lease(of: "a", order: 1))
        _ = post(state("a", order: 1, ["lobby"]))
        _ = post(lease(of: "b", order: 2))
        _ = post(state("b", order: 2, ["hall"]))
        retained.markComplete()
        _ = post(state("a", order: 3, ["hall"]))
        #expect(Set(news(hall, after: 2)) == ["a", "lease/a"])
        #expect(news(hall, after: 3) == [])
    }

    @Test mutating func `labels before a shard observed them count as any`() {
        // A client of another shard knows both as hall.
        retained.removeAll(endsKnownSince: 0)
        _ = post(end(of: "gone", order: 6))
        _ = post(state("a", order: 4, ["lobby"]))
        _ = post(state("b", order: 5, []))
        retained.markComplete()
        #expect(news(hall, after: 4) == ["end/gone", "b"])
        #expect(news(hall, after: 6) == [])
    }

    @Test mutating func `after many changes of labels every former one counts`() {
        retained.markComplete()
        for order in 1...20 { _ = post(state("a", order: UInt64(order), ["label-\(order)"])) }
        #expect(news(hall, after: 1) == ["a"])
        #expect(news(hall, after: 19) == [])
        #expect(post(end(of: "a", order: 21)).map { retained.delivery(of: $0, to: hall) } == .included)
    }

    @Test mutating func `an event that replaces an unsent change of labels reaches the streams of both`() throws {
        _ = post(state("a", order: 1, ["hall"]))
        _ = post(state("a", order: 2, []))
        // Streams of the hall have not received the change yet.
        let newer = try #require(post(state("a", order: 3, []), insteadOfUnsent: true))
        #expect(retained.delivery(of: newer, to: hall) == .included)
        // They have it now.
        let newest = try #require(post(state("a", order: 4, [])))
        #expect(retained.delivery(of: newest, to: hall) == .excluded)
    }

    @Test mutating func `a subject enters a filter that did not match its previous labels`() throws {
        let floor1 = EventFilter(subjects: [SubjectSet(labels: ["floor1"])])
        _ = post(lease(of: "a", order: 1))
        _ = post(state("a", order: 1, ["floor1"]))
        let (handle, _) = retained.post(state("a", order: 2, ["floor1", "hall"]))
        let entry = try #require(retained[handle])
        #expect(retained.delivery(of: entry, to: hall) == .entering)
        #expect(retained.delivery(of: entry, to: floor1) == .included)
        #expect(retained.delivery(of: entry, to: EventFilter()) == .included)
        let boosts = EventFilter(types: ["boost"], subjects: [SubjectSet(labels: ["hall"])])
        #expect(retained.delivery(of: entry, to: boosts) == .entering)
        #expect(retained.delivery(of: entry, to: EventFilter(types: ["boost"])) == .excluded)
        #expect(retained.siblings(of: handle, in: hall).map { retained[$0.handle]?.event.key } == ["lease/a"])
        #expect(retained.siblings(of: handle, in: EventFilter(types: ["brightness"])).isEmpty)
        let later = try #require(post(state("a", order: 3, ["hall"]), insteadOfUnsent: true))
        #expect(retained.delivery(of: later, to: hall) == .entering)
        #expect(retained.delivery(of: later, to: floor1) == .included)
        let settled = try #require(post(state("a", order: 4, ["hall"])))
        #expect(retained.delivery(of: settled, to: hall) == .included)
    }
}
