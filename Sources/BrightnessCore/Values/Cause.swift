// SPDX-License-Identifier: Apache-2.0

/// The origin of a display's last change. Part of every display state.
package struct Cause: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A client set a baseline.
        case api
        /// A lease of this kind was granted or renewed.
        case boost, dim, wake, sleep
        /// A holder released a lease, or a client released all of them.
        case restore
        /// A lease reached its time limit.
        case expired
        /// A lease's holder was disconnected for longer than `LeaseTable.grace`.
        case disconnected
        /// The ambient light changed.
        case auto
        case schedule
        /// Nobody has used the machine for some time, or somebody uses it again.
        case idle
        /// A proximity sensor reports somebody near.
        case presence
        /// The display that this one follows (`--follow`) has another baseline.
        case follow
        /// Another program changed the panel.
        case external
        /// A person pressed a key that the firmware or the kernel handles.
        case hotkey
        /// The daemon was restarted, and restored the panel or continued leases.
        case recovered
        /// The panel was connected, or responds again.
        case connected
        /// The panel was disconnected, or responds no more.
        case lost
        /// A person in the simulated room changed the panel.
        case simulator
        /// A client set a baseline through a broker.
        case mqtt
        /// A client changed the display's settings, such as its name.
        case settings
    }

    package let kind: Kind
    /// The holder, or the name of the token.
    package let by: String?
    /// The authenticated principal; `nil` if no client sent the change.
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
