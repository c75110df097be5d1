// SPDX-License-Identifier: Apache-2.0
import Synchronization

extension DisplayService {
    /// Refuses every command from now on with `.stopping`, so that no client changes a display that was put back.
    ///
    /// - Returns: The displays of this machine. Those of other daemons are theirs to put back.
    package func refuseCommands() -> [DisplayID] {
        isEnding.store(true, ordering: .releasing)
        return store.workers.map(\.id)
    }

    /// Gives a display of this machine its last command, after `refuseCommands`.
    ///
    /// A command that ends all leases brings the panel back before the journal has that: a journal that hangs keeps no panel
    /// raised. If the daemon is killed in between, the next start finds the panel at its baseline.
    ///
    /// - Parameter completion: Called once: the panel took the command or refused it. For a panel that hangs, late or never.
    package func submitLast(
        _ command: Command,
        to id: DisplayID,
        at now: Moment,
        completion: @escaping @Sendable () -> Void
    ) {
        guard let worker = store.owner(of: id)?.worker else { return completion() }
        worker.submitLast(command, at: now) { _ in completion() }
    }
}
