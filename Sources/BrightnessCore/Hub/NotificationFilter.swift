// SPDX-License-Identifier: Apache-2.0

/// The notifications that a listener receives. A narrow filter saves wakes.
package struct NotificationFilter: Hashable, Sendable {
    /// One bit per kind: every post checks the filter of every listener.
    private let kinds: Int
    /// The causes of displays' states that pass; `nil` for every cause.
    private let causes: Set<Cause.Kind>?
    private let isOfThisMachine: Bool

    /// - Parameters:
    ///   - causes: Drops states with other causes.
    ///   - isOfThisMachine: Drops states of mirrored displays.
    package init(
        _ kinds: Set<Notification.Kind>,
        causedBy causes: Set<Cause.Kind>? = nil,
        ofThisMachine isOfThisMachine: Bool = false
    ) {
        self.kinds = kinds.reduce(0) { $0 | 1 << $1.rawValue }
        self.causes = causes
        self.isOfThisMachine = isOfThisMachine
    }

    func includes(_ notification: Notification) -> Bool {
        guard kinds & 1 << notification.kind.rawValue != 0 else { return false }
        return if case .state(let state) = notification { includes(state) } else { true }
    }

    private func includes(_ state: DisplayState) -> Bool {
        if isOfThisMachine, state.kind == .remote { return false }
        return causes?.contains(state.latestCause.kind) ?? true
    }
}
