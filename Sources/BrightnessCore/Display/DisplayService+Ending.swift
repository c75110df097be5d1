// SPDX-License-Identifier: Apache-2.0
import Synchronization

extension DisplayService {
    /// Whether the daemon stops: every further command is rejected, and the broker gets `offline`.
    package var isStopping: Bool { isEnding.load(ordering: .acquiring) }

    /// Rejects every further command with `.stopping`, so that no client changes a restored display.
    ///
    /// - Returns: The displays of this machine. Mirrored displays are restored by their own daemons.
    package func refuseCommands() -> [DisplayID] {
        isEnding.store(true, ordering: .releasing)
        return ownIDs
    }

    /// Whether a display's last command may take seconds.
    package func isSlow(_ id: DisplayID) -> Bool { store.owner(of: id)?.worker?.panel.isSlow ?? false }

    /// Submits a display's last command, after `refuseCommands`.
    ///
    /// A command that ends all leases restores the panel before the journal stores that: a hanging journal must not
    /// keep a panel raised. If the daemon is killed in between, the next start finds the panel at its baseline. A panel
    /// that has to be switched off waits until the journal has that: the next start takes a monitor whose power it
    /// cannot read for on otherwise.
    ///
    /// - Parameter completion: Called once, after the panel accepted or rejected the command. Late or never for a
    ///   hanging panel.
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
