// SPDX-License-Identifier: Apache-2.0
import Support

/// Commands within a write quota for each of their targets. A command beyond it waits for room, and of the waiting ones
/// of a kind only the newest is kept. So the last value of a stream is always executed.
///
/// Rules only; time is an argument.
package struct PacedCommands<Quotas: CommandQuotas, Kind: Hashable, Command> {
    package typealias Target = Quotas.Writer

    package static var limit: Int { 1_024 }

    private var quotas: Quotas?
    /// In the order of arrival, so that the newest command has the last word.
    private var waiting = ConflatingQueue<Kind, (target: Target, command: Command)>()
    /// When the next command has room; `nil` if none waits.
    package private(set) var deadline: Instant?

    /// - Parameter quotas: The quotas of the targets; `nil` for no limit.
    package init(quotas: Quotas?) { self.quotas = quotas }

    /// - Parameter quota: The quota of each target; `nil` for no limit.
    package init<Writer>(_ quota: WriteQuota?) where Quotas == WriteQuotas<Writer> {
        self.init(quotas: quota.map { WriteQuotas($0) })
    }

    /// Adds a command. `takeDue` returns it, now or when its target has room.
    ///
    /// - Parameter kind: A newer command of the same kind, which has the same target, replaces it.
    /// - Returns: The command that is skipped, with the problem to answer.
    package mutating func add(
        _ command: Command,
        to target: Target,
        as kind: Kind,
        at now: Instant
    ) -> (command: Command, problem: Problem)? {
        let earliest = quotas?.earliest(for: target, at: now) ?? now
        deadline = min(deadline ?? earliest, earliest)
        let hasRoom = waiting.count < Self.limit || waiting[kind] != nil
        let skipped: Command? = hasRoom ? waiting.append((target, command), for: kind)?.command : command
        guard let skipped, let quotas else { return nil }
        return (skipped, quotas.quota.skipped)
    }

    /// Removes and returns the commands that have room.
    package mutating func takeDue(at now: Instant) -> [Command] {
        guard let deadline, deadline <= now else { return [] }
        var (due, next): ([Command], Instant?) = ([], nil)
        waiting.removeOldest { waiting in
            if quotas?.spend(waiting.target, at: now).isEnough ?? true {
                due.append(waiting.command)
                return true
            }
            // A target that shares a bucket has no time of its own, and is asked again in a millisecond.
            let earliest = max(quotas?.earliest(for: waiting.target, at: now) ?? now, now + .milliseconds(1))
            next = min(next ?? earliest, earliest)
            return false
        }
        self.deadline = next
        return due
    }
}
