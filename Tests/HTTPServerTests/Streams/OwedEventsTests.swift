// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

@Suite struct OwedEventsTests {
    private func place(_ slot: Int) -> EventBoard.Place { EventBoard.Place(slot: slot, serial: 0) }

    private func drain(_ owed: inout OwedEvents) -> [Int] {
        var slots: [Int] = []
        while let (place, _) = owed.removeFirst() { slots.append(place.slot) }
        return slots
    }

    @Test func `a newer version of an event comes last, and the older one is left out`() {
        var owed = OwedEvents()
        let replaced = [(1, 1), (2, 2), (1, 3)].map { owed.append(place($0.0), version: $0.1) }
        #expect(replaced == [false, false, true])
        #expect(owed.count == 2)
        #expect(drain(&owed) == [2, 1])
        #expect(owed.isEmpty)
    }

    @Test func `the same version twice is one`() {
        var owed = OwedEvents()
        let replaced = (0..<2).map { _ in owed.append(place(1), version: 1) }
        #expect(replaced == [false, false])
        #expect(drain(&owed) == [1])
    }

    @Test func `an event that was sent is owed again when there is a newer version`() {
        var owed = OwedEvents()
        _ = owed.append(place(1), version: 1)
        _ = owed.append(place(2), version: 2)
        let sent = owed.removeFirst()
        #expect(sent?.place == place(1) && sent?.version == 1)
        let isReplaced = owed.append(place(1), version: 3)
        #expect(!isReplaced)
        #expect(drain(&owed) == [2, 1])
    }

    @Test func `memory grows with the number of events, and not with that of their versions`() {
        var owed = OwedEvents()
        for version in 1...100_000 { _ = owed.append(place(version % 10), version: UInt64(version)) }
        #expect(owed.count == 10)
        #expect(owed.bytes < 2_000)
        #expect(drain(&owed) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0])
    }
}
