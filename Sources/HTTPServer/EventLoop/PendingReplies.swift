// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
import Support

/// The requests and WebSocket messages of a shard that wait for a response.
struct PendingReplies {
    struct Reply {
        enum Waiter {
            /// A request, on its suspended connection.
            case request(OpaquePointer)
            /// A message, on the WebSocket with this token.
            case stream(UInt64)
        }

        let waiter: Waiter
        let deadline: LoopTime
        let deferred: Deferred
        /// When the command arrived; `nil` for a request that changes nothing.
        let since: LoopTime?
    }

    private var all: [ObjectIdentifier: Reply] = [:]
    private(set) var nextDeadline: LoopTime?
    private let notify: @Sendable (Deferred) -> Void

    init(_ inbox: ShardInbox) { notify = { inbox.post(.answered($0)) } }

    /// Posts the response to the inbox when it is ready; `false` if it is ready already.
    mutating func wait(for deferred: Deferred, _ waiter: Reply.Waiter, isCommand: Bool, at now: LoopTime) -> Bool {
        guard deferred.park(notify) else { return false }
        let deadline = deferred.deadline(from: now)
        all[ObjectIdentifier(deferred)] = Reply(
            waiter: waiter,
            deadline: deadline,
            deferred: deferred,
            since: isCommand ? now : nil
        )
        nextDeadline = min(nextDeadline ?? deadline, deadline)
        return true
    }

    mutating func remove(_ deferred: Deferred) -> Reply? { all.removeValue(forKey: ObjectIdentifier(deferred)) }

    mutating func removeAll() -> [Reply] {
        defer {
            all = [:]
            nextDeadline = nil
        }
        return Array(all.values)
    }

    /// Returns the replies whose deadline has passed. They stay in the table.
    mutating func overdue(at now: LoopTime) -> [Deferred] {
        guard let nextDeadline, nextDeadline <= now else { return [] }
        self.nextDeadline = all.values.lazy.map(\.deadline).filter { $0 > now }.min()
        return all.values.filter { $0.deadline <= now }.map(\.deferred)
    }
}

extension Shard {
    /// Waits for a deferred response; `false` if it is ready already. While the shard drains, none waits: `endTurn`
    /// begins the change of the request, and `complete` answers with the fallback if there is no result yet.
    func wait(for deferred: Deferred, _ waiter: PendingReplies.Reply.Waiter, isCommand: Bool) -> Bool {
        if draining != nil {
            application.endTurn()
            deferred.complete()
        }
        if pending.wait(for: deferred, waiter, isCommand: isCommand, at: clock.now) { return true }
        if isCommand { counts.commands.count(.zero) }
        return false
    }

    func deliver(_ reply: PendingReplies.Reply) {
        if let since = reply.since { counts.commands.count(clock.now - since) }
        switch reply.waiter {
        case .request(let connection):
            MHD_resume_connection(connection)
        case .stream(let token):
            if let response = reply.deferred.response { webSockets.send(response, to: token, in: &streams) }
        }
    }

    /// Resumes requests for which earlier turns had no time.
    func resumePostponed(atMost count: Int) {
        for connection in postponed.resume(atMost: count) { MHD_resume_connection(connection) }
    }
}
