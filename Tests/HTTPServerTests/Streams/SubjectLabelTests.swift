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
        let (place, _) = retained.post(event)
        return retained[place].map { filter.includes($0.event, labels: retained.reach(of: $0)) } ?? false
    }

    private func subjects(_ filter: EventFilter) -> [String?] {
        retained.all(filter).map { retained[$0.place]?.event.subject }
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
        let missed = retained.beginning(hall, .after(2)).places
        #expect(missed.map { retained[$0.place]?.event.key } == ["end/a"])
        #expect(!reaches(hall, state("a", order: 5, [])))
    }

    @Test mutating func `a complete batch keeps the labels of the subjects that it has`() {
        _ = reaches(hall, state("a", order: 1, ["hall"]))
        _ = reaches(hall, state("b", order: 2, ["hall"]))
        retained.beginAgain(with: ["a"], endsAfter: 2)
        #expect(subjects(hall) == ["a"])
        #expect(!reaches(hall, lease(of: "b", order: 3)))
    }
}
