// SPDX-License-Identifier: Apache-2.0

/// The displays of a `DisplayStateStore`. Guarded by the store's lock.
struct KnownDisplays {
    /// The newest revision of a state or a removal.
    var revision = Revision(0)
    /// The default display that was reported last.
    var defaultDisplay: DisplayID?
    /// In the order of arrival; `nil` in place of a removed display.
    private var entries: [DisplayStateStore.Published?] = []
    private var indices: [DisplayID: Int] = [:]
    /// The displays of this machine in the order of arrival: few, among any number of mirrored ones.
    private var ownIDs: [DisplayID] = []

    /// The settings of this machine's displays, absent ones included.
    var settings: [DisplayID: DisplaySettings] = [:]

    var count: Int { indices.count }

    var all: some Sequence<DisplayStateStore.Published> { entries.lazy.compactMap(\.self) }

    /// The displays of this machine in the order of arrival.
    var own: some Sequence<DisplayStateStore.Published> { ownIDs.lazy.compactMap { self[$0] } }

    subscript(id: DisplayID) -> DisplayStateStore.Published? {
        get { indices[id].flatMap { entries[$0] } }
        set {
            let index = indices[id]
            let old = index.flatMap { entries[$0] }
            if let new = newValue?.settings?.0, new != old?.settings?.0 { settings[id] = new == .none ? nil : new }
            switch (old?.owner.isOwn ?? false, newValue?.owner.isOwn ?? false) {
            case (false, true): ownIDs.append(id)
            case (true, false): ownIDs.removeAll { $0 == id }
            default: break
            }
            if let index {
                entries[index] = newValue
                if newValue == nil {
                    indices[id] = nil
                    closeGaps()
                }
            } else if let newValue {
                indices[id] = entries.count
                entries.append(newValue)
            }
        }
    }

    /// Compacts `entries` once there are more gaps than displays, so that a removal is cheap on average.
    private mutating func closeGaps() {
        guard entries.count > 2 * indices.count else { return }
        entries.removeAll { $0 == nil }
        for (index, entry) in entries.enumerated() { if let entry { indices[entry.state.id] = index } }
    }

    /// Stores the state of a display of this machine, with the next revision if it is a new one. Posts nothing.
    @discardableResult mutating func update(
        _ model: DisplayModel,
        to new: DisplayState,
        isPresent: Bool,
        _ owner: DisplayStateStore.Owner
    ) -> DisplayStateStore.Published {
        revision = max(revision, new.revision)
        let published = DisplayStateStore.Published(new, of: model, isPresent: isPresent, owner)
        self[new.id] = published
        return published
    }

    /// Stores the state of a display that has just become present.
    ///
    /// - Returns: Its leases, its state and its arrival, in this order.
    mutating func introduce(_ model: DisplayModel, _ owner: DisplayStateStore.Owner) -> [Notification] {
        let published = model.state(at: revision.next)
        update(model, to: published, isPresent: true, owner)
        let leases = model.leases.all.map { LeaseEvent($0, .granted) }
        return leases.map { .lease($0, at: published.revision) }
            + [.state(published), .display(model.id, .added, at: published.revision)]
    }

    /// Removes a display.
    ///
    /// - Returns: The ends of its leases, and its removal. An absent display's removal was reported before.
    mutating func remove(_ id: DisplayID) -> [Notification] {
        guard let gone = self[id] else { return [] }
        self[id] = nil
        revision = revision.next
        let ends = gone.leases.all.map { Notification.lease(LeaseEvent($0, .stopped), at: revision) }
        return gone.isPresent ? ends + [.display(id, .removed, at: revision)] : ends
    }
}
