// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

@Suite struct EventBoardTests {
    static func event(
        _ key: String,
        order: UInt64,
        name: String = "brightness",
        hasID: Bool = true,
        isRetained: Bool = true,
        endsSubject: Bool = false,
        of subject: String? = nil
    ) -> Event {
        Event(
            key: key,
            name: name,
            subject: subject ?? key,
            id: hasID ? "e-\(order)" : nil,
            order: order,
            data: Array("{\"order\":\(order)}".utf8),
            isRetained: isRetained,
            endsSubject: endsSubject
        )
    }

    @Test func `a newer event takes the place of the older one of its key`() {
        var board = EventBoard()
        let first = board.post(Self.event("a", order: 1))
        let second = board.post(Self.event("a", order: 2))
        #expect(first == second)
        #expect(board[first]?.event.order == 2)
    }

    @Test func `what is retained is known again, and nothing else is`() {
        var board = EventBoard()
        _ = board.post(Self.event("a", order: 1))
        #expect(board.retains(Self.event("a", order: 1)))
        #expect(!board.retains(Self.event("a", order: 2)))
        #expect(!board.retains(Self.event("b", order: 1)))
    }

    @Test func `what is over without a word is let go, and its slot is another's`() {
        var board = EventBoard()
        let gone = board.post(Self.event("gone", order: 1))
        let kept = board.post(Self.event("kept", order: 2))
        board.retain(only: ["kept", "unknown"])
        #expect(board[gone] == nil)
        #expect(board[kept]?.event.key == "kept")
        #expect(board.retained(EventFilter(), after: nil).map(\.key) == ["kept"])
        let new = board.post(Self.event("new", order: 3))
        #expect(new.slot == gone.slot)
        #expect(board[gone] == nil)
    }

    @Test func `with a subject goes all that is retained of it`() {
        var board = EventBoard()
        let state = board.post(Self.event("state", order: 1, of: "left"))
        let lease = board.post(Self.event("lease", order: 2, of: "left"))
        _ = board.post(Self.event("other", order: 3, of: "right"))
        let end = board.post(Self.event("end", order: 4, isRetained: false, endsSubject: true, of: "left"))
        #expect(board[state] == nil && board[lease] == nil)
        #expect(board[end]?.event.key == "end")
        #expect(board.retained(EventFilter(), after: nil).map(\.key) == ["other"])
        _ = board.post(Self.event("state", order: 5, of: "left"))
        #expect(board.retained(EventFilter(), after: nil).map(\.key) == ["other", "state"])
    }

    @Test func `newcomers get what is retained, events with an id first and oldest first`() {
        var board = EventBoard()
        _ = board.post(Self.event("lease", order: 1, name: "boost", hasID: false))
        _ = board.post(Self.event("a", order: 5))
        _ = board.post(Self.event("b", order: 3))
        _ = board.post(Self.event("gone", order: 6, name: "boost", hasID: false, isRetained: false))
        #expect(board.retained(EventFilter(), after: nil).map(\.key) == ["b", "a", "lease"])
        #expect(board.retained(EventFilter(), after: 3).map(\.key) == ["a"])
        #expect(board.retained(EventFilter(names: ["boost"]), after: nil).map(\.key) == ["lease"])
        #expect(board.retained(EventFilter(subjects: ["a", "b"]), after: 4).map(\.key) == ["a"])
    }

    @Test func `an event that ends a key leaves nothing for newcomers`() {
        var board = EventBoard()
        _ = board.post(Self.event("lease", order: 1))
        let end = board.post(Self.event("lease", order: 2, isRetained: false))
        #expect(board.retained(EventFilter(), after: nil).isEmpty)
        #expect(board[end]?.event.order == 2)
    }

    @Test func `ended keys stay readable for the slow, and their number is bounded`() {
        var board = EventBoard()
        let first = board.post(Self.event("lease-0", order: 0, isRetained: false))
        for order in 1..<UInt64(EventBoard.passingLimit) {
            _ = board.post(Self.event("lease-\(order)", order: order, isRetained: false))
        }
        #expect(board[first]?.event.key == "lease-0")
        let newest = board.post(Self.event("one more", order: 1_000, isRetained: false))
        #expect(board[first] == nil)
        #expect(board[newest]?.event.key == "one more")
    }

    @Test func `a slot used again is not mistaken for what was there before`() {
        var board = EventBoard()
        let old = board.post(Self.event("lease-0", order: 0, isRetained: false))
        for order in 1...UInt64(EventBoard.passingLimit) {
            _ = board.post(Self.event("lease-\(order)", order: order, isRetained: false))
        }
        let reused = board.post(Self.event("fresh", order: 2_000))
        #expect(reused.slot == old.slot)
        #expect(board[old] == nil)
        #expect(board[reused]?.event.key == "fresh")
    }
}
