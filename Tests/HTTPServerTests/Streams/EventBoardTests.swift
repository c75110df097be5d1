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
        let first = post(&board, Self.event("a", order: 1))
        let second = post(&board, Self.event("a", order: 2))
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

    @Test func `what is not among everything there is is let go, and its slot is another's`() {
        var board = EventBoard()
        let gone = post(&board, Self.event("gone", order: 1))
        let kept = post(&board, Self.event("kept", order: 2))
        board.beginAgain(with: ["kept", "unknown"], endsAfter: 0)
        #expect(board[gone] == nil)
        #expect(board[kept]?.event.key == "kept")
        #expect(keys(board) == ["kept"])
        let new = post(&board, Self.event("new", order: 3))
        #expect(new.slot == gone.slot)
        #expect(board[gone] == nil)
    }

    @Test func `with a subject goes all that is retained of it`() {
        var board = EventBoard()
        let state = post(&board, Self.event("state", order: 1, of: "left"))
        let lease = post(&board, Self.event("lease", order: 2, of: "left"))
        _ = board.post(Self.event("other", order: 3, of: "right"))
        let end = post(&board, Self.event("end", order: 4, isRetained: false, endsSubject: true, of: "left"))
        #expect(board[state] == nil && board[lease] == nil)
        #expect(board[end]?.event.key == "end")
        #expect(keys(board) == ["other"])
        _ = board.post(Self.event("state", order: 5, of: "left"))
        #expect(keys(board) == ["other", "state"])
    }

    @Test func `newcomers get what is retained, events with an id first and oldest first`() {
        var board = EventBoard()
        _ = board.post(Self.event("lease", order: 1, name: "boost", hasID: false))
        _ = board.post(Self.event("a", order: 5))
        _ = board.post(Self.event("b", order: 3))
        _ = board.post(Self.event("gone", order: 6, name: "boost", hasID: false, isRetained: false))
        #expect(keys(board) == ["b", "a", "lease"])
        #expect(keys(board, .after(3)) == ["gone", "a"])
        #expect(keys(board, of: EventFilter(names: ["boost"])) == ["lease"])
        #expect(keys(board, .after(4), of: EventFilter(subjects: ["a", "b"])) == ["a"])
    }

    @Test func `an event that ends a key leaves nothing for newcomers`() {
        var board = EventBoard()
        _ = board.post(Self.event("lease", order: 1))
        let end = post(&board, Self.event("lease", order: 2, isRetained: false))
        #expect(keys(board).isEmpty)
        #expect(board[end]?.event.order == 2)
    }

    /// What a stream begins with.
    private func keys(_ board: EventBoard, _ start: StreamStart = .everything, of filter: EventFilter = EventFilter())
        -> [String]
    {
        let (isReset, places) = board.beginning(filter, start)
        return (isReset ? ["reset"] : []) + places.compactMap { board[$0.place]?.event.key }
    }

    private func end(_ number: Int, order: UInt64? = nil) -> Event {
        Self.event("lease-\(number)", order: order ?? UInt64(number + 1), isRetained: false)
    }

    @Test func `ends stay readable for the slow, and their number is bounded`() {
        var board = EventBoard()
        let first = post(&board, end(0))
        for number in 1..<EventBoard.passingKept { _ = board.post(end(number)) }
        board.forgetPassing(areAwaited: false)
        #expect(board[first]?.event.key == "lease-0")
        let newest = post(&board, end(1_000))
        board.forgetPassing(areAwaited: false)
        #expect(board[first] == nil)
        #expect(board[newest]?.event.key == "lease-1000")
        #expect(board.forgotten == 1)
    }

    @Test func `an end that an outlet has yet to take is kept, up to a limit`() {
        var board = EventBoard()
        let first = post(&board, end(0))
        for number in 1..<EventBoard.passingLimit { _ = board.post(end(number)) }
        board.forgetPassing(areAwaited: true)
        #expect(board[first]?.event.key == "lease-0")
        #expect(board.forgotten == 0)
        _ = board.post(end(10_000))
        board.forgetPassing(areAwaited: true)
        #expect(board[first] == nil)
        #expect(board.forgotten == 1)
    }

    @Test func `a slot used again is not mistaken for what was there before`() {
        var board = EventBoard()
        let old = post(&board, end(0))
        for number in 1...EventBoard.passingKept { _ = board.post(end(number)) }
        board.forgetPassing(areAwaited: false)
        let reused = post(&board, Self.event("fresh", order: 2_000))
        #expect(reused.slot == old.slot)
        #expect(board[old] == nil)
        #expect(board[reused]?.event.key == "fresh")
    }

    @Test func `a client that comes back gets the ends it missed, then what is newer`() {
        var board = EventBoard()
        _ = board.post(Self.event("old", order: 1))
        _ = board.post(end(7, order: 2))
        _ = board.post(end(8, order: 4))
        _ = board.post(Self.event("plugged in", order: 0, isRetained: false))
        _ = board.post(Self.event("new", order: 5))
        #expect(keys(board, .after(3)) == ["lease-8", "new"])
        #expect(keys(board, .after(1)) == ["lease-7", "lease-8", "new"])
        #expect(keys(board, .after(5)) == [])
        #expect(keys(board, .after(1), of: EventFilter(subjects: ["lease-7", "old"])) == ["lease-7"])
        #expect(keys(board) == ["old", "new"])
    }

    @Test func `a client that missed ends which are forgotten begins again`() {
        var board = EventBoard()
        _ = board.post(Self.event("old", order: 1))
        for number in 1...EventBoard.passingKept + 1 { _ = board.post(end(number)) }
        board.forgetPassing(areAwaited: false)
        #expect(keys(board, .after(1)) == ["reset", "old"])
        #expect(keys(board, .after(2)).count == EventBoard.passingKept)
        #expect(keys(board, .reset) == ["reset", "old"])
        #expect(keys(board, .reset, of: EventFilter(names: ["brightness"])) == ["old"])
    }

    @Test func `ends among everything there is are for clients that come back, as far as they reach`() {
        var board = EventBoard()
        _ = board.post(end(1))
        board.beginAgain(with: ["lease-2"], endsAfter: 2)
        _ = board.post(end(2, order: 3))
        #expect(keys(board, .after(2)) == ["lease-2"])
        #expect(keys(board, .after(1)) == ["reset"])
        #expect(keys(board) == [])
    }

    private func post(_ board: inout EventBoard, _ event: Event) -> EventBoard.Place { board.post(event).place }
}
