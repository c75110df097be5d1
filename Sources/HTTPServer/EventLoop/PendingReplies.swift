// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
import Metrics

/// The requests and messages of a shard whose answers are still to come.
struct PendingReplies {
    struct Reply {
        enum Asker {
            /// A request, on its suspended connection.
            case request(OpaquePointer)
            /// A message, on the WebSocket with this token.
            case stream(UInt64)
        }

        let asker: Asker
        let deadline: LoopTime
        let deferred: Deferred
        /// Since when; `nil` for a request that changes nothing.
        let since: LoopTime?
    }

    private var all: [ObjectIdentifier: Reply] = [:]
    /// When the next of them is overdue.
    private(set) var nextDeadline: LoopTime?
    private let notify: @Sendable (Deferred) -> Void

    init(_ inbox: ShardInbox) { notify = { inbox.post(.answered($0)) } }

    /// Has the answer reported to the inbox; `false` if it is there already.
    mutating func wait(for deferred: Deferred, _ asker: Reply.Asker, isCommand: Bool, at now: LoopTime) -> Bool {
        guard deferred.park(notify) else { return false }
        let deadline = deferred.deadline(from: now)
        all[ObjectIdentifier(deferred)] = Reply(
            asker: asker,
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

    /// The answers that have not come in time. They are still waited for.
    mutating func overdue(at now: LoopTime) -> [Deferred] {
        guard let nextDeadline, nextDeadline <= now else { return [] }
        self.nextDeadline = all.values.lazy.map(\.deadline).filter { $0 > now }.min()
        return all.values.filter { $0.deadline <= now }.map(\.deferred)
    }
}

extension Shard {
    /// `false` if the answer is there already.
    func wait(for deferred: Deferred, _ asker: PendingReplies.Reply.Asker, isCommand: Bool) -> Bool {
        if draining != nil { deferred.expire() }
        if pending.wait(for: deferred, asker, isCommand: isCommand, at: clock.now) { return true }
        if isCommand { counts.commands.count(.zero) }
        return false
    }

    func answer(_ reply: PendingReplies.Reply) {
        if let since = reply.since { counts.commands.count(clock.now - since) }
        switch reply.asker {
        case .request(let connection):
            MHD_resume_connection(connection)
        case .stream(let token):
            if let answer = reply.deferred.answer { webSockets.answer(token, answer, in: &streams) }
        }
    }

    /// Lets the requests be answered for which the last turn had no time.
    func resumePostponed() {
        for connection in postponed { MHD_resume_connection(connection) }
        postponed.removeAll(keepingCapacity: true)
    }
}
