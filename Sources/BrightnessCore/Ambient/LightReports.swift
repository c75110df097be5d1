// SPDX-License-Identifier: Apache-2.0
internal import Support
import Synchronization

/// The readings of light sensors elsewhere, as clients report them. Any thread.
///
/// A report counts until its end, or until its name is reported again or removed.
package final class LightReports: Sendable {
    /// The maximum number of names.
    package static let limit = 16

    package enum Failure: Error, Equatable {
        /// There are `limit` other names.
        case tooMany
    }

    private struct Entry {
        let illuminance: Illuminance
        let end: Instant
    }

    private struct State {
        var entries: [SensorName: Entry] = [:]
        /// Counts the changes.
        var version: UInt64 = 0
        var observers: [UInt64: Signal] = [:]
        var lastObserver: UInt64 = 0

        mutating func endOverdue(at now: Instant) {
            let current = entries.filter { $0.value.end > now }
            guard current.count != entries.count else { return }
            entries = current
            version += 1
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// - Parameter ttl: The time for which it counts.
    package func put(
        _ illuminance: Illuminance,
        of name: SensorName,
        for ttl: Duration,
        at now: Instant
    ) throws(Failure) {
        let isKept = change(at: now) { entries in
            guard entries[name] != nil || entries.count < Self.limit else { return false }
            entries[name] = Entry(illuminance: illuminance, end: now + ttl)
            return true
        }
        if !isKept { throw .tooMany }
    }

    /// Returns whether there was such a report.
    package func remove(_ name: SensorName, at now: Instant) -> Bool {
        change(at: now) { $0.removeValue(forKey: name) != nil }
    }

    /// Notifies the observers if `body` returns that it has changed something. Returns that.
    private func change(at now: Instant, _ body: (inout [SensorName: Entry]) -> Bool) -> Bool {
        let observers = state.withLock { state -> [Signal]? in
            state.endOverdue(at: now)
            guard body(&state.entries) else { return nil }
            state.version += 1
            return Array(state.observers.values)
        }
        for observer in observers ?? [] { observer.send() }
        return observers != nil
    }

    /// Returns the current reports in the order of their names.
    package func all(at now: Instant) -> [LightReport] {
        state.withLock { state in
            state.endOverdue(at: now)
            return state.entries.sorted { $0.key < $1.key }.map { LightReport($0.value.illuminance, of: $0.key) }
        }
    }

    /// Grows with every change.
    package var version: UInt64 { state.withLock(\.version) }

    /// Returns after a change that is newer than `version`, at the next end of a report, or when the task is cancelled.
    package func awaitChange<C: Clock<Duration>>(after version: UInt64, on clock: C) async where C.Instant == Instant {
        let (changes, change) = Signal.makeStream()
        let (observer, end) = state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = change
            return (state.lastObserver, state.entries.values.map(\.end).min())
        }
        defer { state.withLock { $0.observers[observer] = nil } }
        // A change before the observer was added sends no signal.
        if self.version != version { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in changes { return } }
            if let end { group.addTask { try? await clock.sleep(until: end, tolerance: nil) } }
            await group.next()
            group.cancelAll()
        }
    }
}

/// The light that a sensor elsewhere measures.
package struct LightReport: Hashable, Sendable {
    package let name: SensorName
    package let illuminance: Illuminance

    package init(_ illuminance: Illuminance, of name: SensorName) {
        self.name = name
        self.illuminance = illuminance
    }

    /// Differs from the id of every sensor of this machine.
    var id: String { "remote:\(name.text)" }
}

/// The name of a sensor elsewhere: 1 to 64 letters, digits and `_ . -`, one path segment.
package struct SensorName: Hashable, Sendable, Comparable {
    package let text: String

    package init?(_ text: String) {
        guard text.isName() else { return nil }
        self.text = text
    }

    package static func < (left: SensorName, right: SensorName) -> Bool { left.text < right.text }
}
