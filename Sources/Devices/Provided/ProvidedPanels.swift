// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Synchronization

/// The displays that clients provide, and their providers. A display whose provider is gone is kept for a day.
package final class ProvidedPanels: ProvidedDisplays {
    private struct Entry {
        let panel: ProvidedPanel
        /// Since when it has no provider; `nil` while it has one.
        var abandoned: Instant?
        /// The calls that wait until its display is added; `nil` once it is.
        var waiting: [@Sendable () -> Void]? = []
    }

    /// The panels that displays were added for. For one reader.
    package let arrivals: AsyncStream<any Panel>
    private let arrived: AsyncStream<any Panel>.Continuation
    private let entries = Mutex<[DisplayID: Entry]>([:])
    private let displays: DisplayService
    private let pairs: Pairs
    private let timeout: Duration
    private let makeQueue: @Sendable (DisplayID) -> any JobQueue

    /// - Parameters:
    ///   - pairs: The displays that some of them are parts of.
    ///   - timeout: How long a client may take for a call; `nil` for the default.
    ///   - queue: Makes the queue of a panel.
    ///   - earlier: The records of an earlier run, whose displays wait for their providers for the rest of the day.
    package init(
        _ displays: DisplayService,
        pairs: Pairs = .none,
        goingOnFrom earlier: [DisplayID: RecoveredRecord] = [:],
        timeout: Duration? = nil,
        queue: @escaping @Sendable (DisplayID) -> any JobQueue = { SerialQueue("panel.\($0)") },
        at now: Moment
    ) {
        (self.displays, self.pairs, self.timeout, makeQueue) = (
            displays, pairs, timeout ?? ProvidedPanel.timeout, queue
        )
        (arrivals, arrived) = AsyncStream.makeStream()
        for (id, earlier) in earlier.sorted(by: { $0.key.text < $1.key.text }) {
            guard let provided = earlier.record.provided else { continue }
            resume(ProvidedDisplay(id, provided, earlier.record), of: provided, at: now)
        }
    }

    /// Adds the display of an earlier run, unless a device of the machine has its id by now.
    private func resume(_ display: ProvidedDisplay, of provided: ProvidedRecord, at now: Moment) {
        // Before the clock is set, `goneSince` may be later than now.
        let abandoned = min(now.instant, provided.goneSince.map { now.moment(of: $0).instant } ?? now.instant)
        guard now.instant - abandoned < ProvidedDisplay.keptWithoutProvider else {
            return displays.forget(display.id, of: provided.principal)
        }
        let panel = ProvidedPanel(display, of: provided.principal, timeout: timeout)
        guard !pairs.isTaken(display.id) else { return }
        entries.withLock { $0[display.id] = Entry(panel: panel, abandoned: abandoned) }
        serve(panel, at: now) { _ in }
    }

    /// Adds the display of a panel, or of the pair that it completes. Forgets the panel's entry if that fails.
    ///
    /// - Parameter completion: Called once, with the error if it was not added: here, or on the queue of a pair that is
    ///   slow to read, such as one with a monitor.
    private func serve(
        _ panel: ProvidedPanel,
        at now: Moment,
        completion: @escaping @Sendable (DeviceError?) -> Void
    ) {
        let served = pairs.admit(.init(panel, on: makeQueue(panel.id)))
        let work: @Sendable () -> Void = { [self] in
            let error = served.flatMap { add($0, for: panel.id, at: now) }
            let waiting = entries.withLock { entries in
                let waiting = entries[panel.id]?.waiting ?? []
                if error == nil { entries[panel.id]?.waiting = nil } else { entries[panel.id] = nil }
                return waiting
            }
            completion(error)
            for call in waiting { call() }
        }
        if let served, !served.panel.isCheapToRead { served.queue.enqueue(work) } else { work() }
    }

    /// - Returns: The error if the display was not added.
    private func add(
        _ served: DisplayService.PanelRegistration,
        for part: DisplayID,
        at now: Moment
    ) -> DeviceError? {
        do throws(DeviceError) {
            try displays.add(served, at: now)
        } catch {
            pairs.remove(part)
            return error
        }
        arrived.yield(served.panel)
        return nil
    }

    /// Makes a call about a display once it is added; at once if it is unknown.
    private func onceAdded(_ id: DisplayID, _ call: @escaping @Sendable () -> Void) {
        let waits = entries.withLock { entries in
            guard entries[id]?.waiting != nil else { return false }
            entries[id]?.waiting?.append(call)
            return true
        }
        if !waits { call() }
    }

    /// The state of the display that shows a panel; that of the panel alone while its pair is not there.
    private func state(of panel: ProvidedPanel, at now: Moment) -> DisplayState {
        displays.state(of: pairs.display(of: panel.id)) ?? panel.state(at: now, displays.revision.next)
    }

    // MARK: Providing

    package func provide(
        _ display: ProvidedDisplay,
        by provider: any DisplayProvider,
        of principal: Principal,
        at now: Moment,
        completion: @escaping @Sendable (Result<DisplayState, ProvidingError>) -> Void
    ) {
        onceAdded(display.id) { [self] in
            do throws(ProvidingError) {
                guard let known = try entry(of: display, by: principal) else {
                    return add(display, by: provider, of: principal, at: now, completion: completion)
                }
                guard known.isSame(as: display) else {
                    // A brightness and a switch are those of a panel as long as it exists.
                    return remove(display.id, by: provider, at: now) { [self] in
                        provide(display, by: provider, of: principal, at: now, completion: completion)
                    }
                }
                replaceProvider(of: known, by: provider, showing: display, at: now, completion: completion)
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// The panel of a display that is provided already; `nil` for a new one, which may be added if there is room.
    private func entry(of display: ProvidedDisplay, by principal: Principal) throws(ProvidingError) -> ProvidedPanel? {
        if let panel = entries.withLock({ $0[display.id]?.panel }) {
            guard panel.principal == principal else { throw .taken(display.id) }
            return panel
        }
        // A gateway's displays are never hidden by a client's, nor are absent ones of the machine.
        guard displays.mayProvide(display.id, as: principal), !pairs.isTaken(display.id) else {
            throw .taken(display.id)
        }
        return nil
    }

    private func add(
        _ display: ProvidedDisplay,
        by provider: any DisplayProvider,
        of principal: Principal,
        at now: Moment,
        completion: @escaping @Sendable (Result<DisplayState, ProvidingError>) -> Void
    ) {
        let panel = ProvidedPanel(display, of: principal, timeout: timeout)
        panel.attach(provider, showing: display)
        // Counted under the same lock as the addition: other threads add displays, too, perhaps the same one.
        let refusal = entries.withLock { entries -> ProvidingError? in
            if entries[display.id] != nil { return .taken(display.id) }
            if entries.count >= ProvidedDisplay.limit { return .tooMany }
            let own = entries.values.count { $0.panel.principal == principal }
            if own >= ProvidedDisplay.principalLimit { return .tooManyOfPrincipal }
            entries[display.id] = Entry(panel: panel)
            return nil
        }
        if let refusal { return completion(.failure(refusal)) }
        serve(panel, at: now) { [self] error in
            switch error {
            case nil:
                if provider.isGone { ended(provider, at: now) }
                completion(.success(state(of: panel, at: now)))
            case .taken?: completion(.failure(.taken(display.id)))
            default: completion(.failure(.unavailable(display.id)))
            }
        }
    }

    /// Gives a display to another provider. The display sees the panel leave and return, so that the state of the new
    /// provider does not count as a person's change.
    private func replaceProvider(
        of panel: ProvidedPanel,
        by provider: any DisplayProvider,
        showing display: ProvidedDisplay,
        at now: Moment,
        completion: @escaping @Sendable (Result<DisplayState, ProvidingError>) -> Void
    ) {
        entries.withLock { $0[panel.id]?.abandoned = nil }
        panel.detach(renamed: display)?.withdrawn(panel.id, by: provider)
        lose(panel, at: now) { [self] in
            // Under one lock: another thread may report the end of either provider.
            let replaced = entries.withLock { entries in
                entries[panel.id]?.abandoned = nil
                return panel.attach(provider, showing: display)
            }
            replaced?.withdrawn(panel.id, by: provider)
            panel.hint(.connected)
            if provider.isGone { ended(provider, at: now) }
            completion(.success(state(of: panel, at: now)))
            // It was removed before this provider was attached, so that it was not notified.
            if entries.withLock({ $0[panel.id]?.panel !== panel }) { panel.detach()?.withdrawn(panel.id) }
        }
    }

    /// Lets a display see that its client is gone, after the client's last report.
    private func lose(_ panel: ProvidedPanel, at now: Moment, completion: @escaping @Sendable () -> Void) {
        let shown = pairs.display(of: panel.id)
        @Sendable func refresh(as cause: Cause.Kind, completion: @escaping @Sendable () -> Void) {
            displays.submit(Command(.refresh(as: cause), transition: .zero), to: shown, at: now) { _ in completion() }
        }
        let lose: @Sendable () -> Void = { refresh(as: .lost, completion: completion) }
        if panel.isUnread { refresh(as: .external, completion: lose) } else { lose() }
    }

    package func changed(
        _ id: DisplayID,
        brightness: Brightness?,
        isOn: Bool?,
        by provider: any DisplayProvider
    ) throws(ProvidingError) {
        guard let panel = entries.withLock({ $0[id]?.panel }), panel.provider === provider else { throw .unknown(id) }
        if brightness != nil, !panel.isDimmable { throw .notDimmable(id) }
        if isOn != nil, !panel.isSwitchable { throw .notSwitchable(id) }
        panel.changed(brightness: brightness, isOn: isOn)
    }

    // MARK: Ends

    package func withdraw(
        _ id: DisplayID,
        of principal: Principal,
        by provider: (any DisplayProvider)?,
        at now: Moment,
        completion: @escaping @Sendable () -> Void
    ) throws(ProvidingError) {
        guard entries.withLock({ $0[id]?.panel.principal }) == principal else { throw .unknown(id) }
        remove(id, by: provider, at: now, completion: completion)
    }

    package func ended(_ provider: any DisplayProvider, at now: Moment) {
        let abandoned = entries.withLock { entries in
            let own = entries.values.map(\.panel).filter { $0.detach(provider) != nil }
            for panel in own { entries[panel.id]?.abandoned = now.instant }
            return own
        }
        for panel in abandoned { panel.hint(panel.isUnread ? .external : .lost) }
    }

    /// Removes the displays whose providers have been gone for a day.
    package func removeAbandoned(at now: Moment) {
        let due = entries.withLock { entries in
            entries.filter { entry in
                entry.value.abandoned.map { now.instant - $0 >= ProvidedDisplay.keptWithoutProvider } ?? false
            }.map(\.key)
        }
        for id in due { remove(id, by: nil, at: now) {} }
    }

    /// Forgets a panel whose display, or whose place in a pair, a device of the machine with its id has taken.
    package func giveWay(to id: DisplayID) {
        guard let entry = entries.withLock({ $0.removeValue(forKey: id) }) else { return }
        entry.panel.detach()?.withdrawn(id)
        entry.panel.end()
        for call in entry.waiting ?? [] { call() }
    }

    /// Removes a display, and what is known of it.
    ///
    /// - Parameter provider: The client that asked for it. Another one that provides the display is notified.
    private func remove(
        _ id: DisplayID,
        by provider: (any DisplayProvider)?,
        at now: Moment,
        completion: @escaping @Sendable () -> Void
    ) {
        onceAdded(id) { [self] in
            guard let panel = entries.withLock({ $0.removeValue(forKey: id)?.panel }) else { return completion() }
            panel.detach()?.withdrawn(id, by: provider)
            let shown = pairs.display(of: id)
            displays.retire(own: shown, because: "withdrawn", at: now) { [displays, pairs] in
                displays.forget(shown, of: shown == id ? panel.principal : nil)
                pairs.remove(id)
                panel.end()
                completion()
            }
        }
    }
}

extension ProvidedDisplay {
    /// The display of an earlier run.
    fileprivate init(_ id: DisplayID, _ provided: ProvidedRecord, _ record: DisplayRecord) {
        self.init(
            id,
            name: provided.name,
            maximum: provided.isDimmable ? record.maximum : nil,
            isSwitchable: provided.isSwitchable,
            brightness: record.baseline
        )
    }
}

extension DisplayProvider {
    fileprivate func withdrawn(_ id: DisplayID, by other: (any DisplayProvider)?) {
        if self !== other { withdrawn(id) }
    }
}
