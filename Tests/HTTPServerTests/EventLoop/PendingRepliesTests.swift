// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

@Suite struct PendingRepliesTests {
    private let start = LoopTime(nanoseconds: 0)

    private func deferred(_ seconds: Int) -> Deferred {
        Deferred(limit: .seconds(seconds)) { Response(status: 202) }
    }

    @Test func `a completed response is not waited for`() throws {
        var pending = PendingReplies(try ShardInbox())
        let answered = deferred(1)
        answered.complete(Response(status: 200))
        let waits = pending.wait(for: answered, .stream(1), isCommand: true, at: start)
        let (deadline, reply) = (pending.nextDeadline, pending.remove(answered))
        #expect(!waits)
        #expect(deadline == nil)
        #expect(reply == nil)
    }

    @Test func `the earliest deadline is next, and an overdue reply stays until its response is reported`() throws {
        var pending = PendingReplies(try ShardInbox())
        let (late, early) = (deferred(20), deferred(10))
        for deferred in [late, early] {
            let waits = pending.wait(for: deferred, .stream(1), isCommand: true, at: start)
            #expect(waits)
        }
        #expect(pending.nextDeadline == start + .seconds(10))
        let inTime = pending.overdue(at: start + .seconds(9))
        #expect(inTime.isEmpty)
        let overdue = pending.overdue(at: start + .seconds(10))
        #expect(overdue.map(ObjectIdentifier.init) == [ObjectIdentifier(early)])
        #expect(pending.nextDeadline == start + .seconds(20))
        let (first, second) = (pending.remove(early), pending.remove(early))
        #expect(first?.since == start)
        #expect(second == nil)
        let rest = pending.removeAll()
        #expect(rest.map { ObjectIdentifier($0.deferred) } == [ObjectIdentifier(late)])
        #expect(pending.nextDeadline == nil)
    }

    @Test func `a response is reported to the inbox once`() throws {
        let inbox = try ShardInbox()
        var pending = PendingReplies(inbox)
        let deferred = deferred(1)
        let waits = pending.wait(for: deferred, .stream(1), isCommand: false, at: start)
        #expect(waits)
        deferred.complete(Response(status: 200))
        deferred.complete(Response(status: 500))
        let reported = inbox.take().compactMap { if case .answered(let one) = $0 { one } else { nil } }
        #expect(reported.map(ObjectIdentifier.init) == [ObjectIdentifier(deferred)])
        #expect(deferred.response?.status == 200)
    }
}
