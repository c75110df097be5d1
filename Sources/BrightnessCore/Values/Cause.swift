// SPDX-License-Identifier: Apache-2.0

/// Who changed a display last, and why. Part of every display state.
package struct Cause: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// A client set the baseline.
        case api
        /// A lease was granted or renewed.
        case boost
        /// A holder released a lease, or somebody released all of them.
        case restore
        /// A lease reached its time limit.
        case expired
        /// A lease's holder was gone for longer than the grace.
        case disconnected
        /// The light in the room changed.
        case auto
        /// Another program changed the panel.
        case external
        /// A person pressed a key that the firmware or the kernel handles.
        case hotkey
        /// The daemon was started again after it had been killed, and put right what it found.
        case recovered
        /// The panel came, went or came back.
        case connected
        /// Somebody in the simulated room.
        case simulator
        /// A client set the baseline through a broker.
        case mqtt
    }

    package let kind: Kind
    /// The holder, or the name of the token.
    package let by: String?
    /// Who that proved to be; `nil` where no client asked.
    package let principal: Principal?
    package let reason: String?
    package let at: Timestamp

    package init(_ kind: Kind, by: String? = nil, principal: Principal? = nil, reason: String? = nil, at: Timestamp) {
        self.kind = kind
        self.by = by
        self.principal = principal
        self.reason = reason
        self.at = at
    }
}
