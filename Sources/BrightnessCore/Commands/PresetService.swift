// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The presets. Any thread. Each change is posted as `Notification.presets`, whose retained one commands look up.
package final class PresetService: Sendable {
    /// The maximum number of presets.
    package static let limit = 64

    package enum Failure: Error, Equatable {
        /// There are `limit` presets.
        case tooMany
        case unknown
        /// The condition of the change does not hold.
        case changed
    }

    private let presets: Mutex<[ResourceName: Preset]>
    private let journal: (any RecordJournal)?
    private let put: @Sendable ([Preset]) -> PendingWakes

    /// Posts the presets.
    ///
    /// - Parameters:
    ///   - earlier: The presets of an earlier run.
    ///   - journal: `nil` keeps them in memory only.
    ///   - put: Puts all presets, in the order of their names, into the mailboxes.
    package init(
        _ earlier: [Preset] = [],
        journal: (any RecordJournal)? = nil,
        put: @escaping @Sendable ([Preset]) -> PendingWakes
    ) {
        presets = Mutex(Dictionary(earlier.map { ($0.name, $0) }) { _, last in last })
        self.journal = journal
        self.put = put
        put(presets.withLock { Self.inOrder($0) })()
    }

    /// Adds or replaces a preset, whose name stays as it was first spelled.
    ///
    /// - Parameters:
    ///   - isWanted: The condition of the change, with the current preset.
    ///   - completion: Called once, after it was stored, with whether it is a new one.
    package func put(
        _ preset: Preset,
        if isWanted: (Preset?) -> Bool = { _ in true },
        completion: @escaping @Sendable (Result<Bool, Failure>) -> Void
    ) {
        change(preset.name, if: isWanted, completion) { presets throws(Failure) in
            let old = presets[preset.name]
            if old == nil, presets.count >= Self.limit { throw .tooMany }
            presets[preset.name] = old.map { preset.named($0.name) } ?? preset
            return old == nil
        }
    }

    /// - Parameters:
    ///   - isWanted: The condition of the change, with the current preset.
    ///   - completion: Called once, after that was stored.
    package func remove(
        _ name: ResourceName,
        if isWanted: (Preset?) -> Bool = { _ in true },
        completion: @escaping @Sendable (Result<Void, Failure>) -> Void
    ) {
        change(name, if: isWanted, completion) { presets throws(Failure) in
            guard presets.removeValue(forKey: name) != nil else { throw .unknown }
        }
    }

    /// All presets, in the order of their names.
    package var all: [Preset] { presets.withLock { Self.inOrder($0) } }

    /// Replaces all presets. Names that stay do so as they were first spelled.
    package func replace(with new: [Preset]) {
        let wakes = presets.withLock { presets -> PendingWakes in
            let old = presets
            presets = Dictionary(new.map { ($0.name, $0.named(old[$0.name]?.name ?? $0.name)) }) { _, last in last }
            for name in Set(old.keys).union(presets.keys) where old[name] != presets[name] {
                journal?.keep(presets[name], under: (old[name]?.name ?? name).text) {}
            }
            return put(Self.inOrder(presets))
        }
        wakes()
    }

    /// Stores and fills the mailboxes within the lock, so that both have the changes in their order. Neither blocks.
    private func change<Value: Sendable>(
        _ name: ResourceName,
        if isWanted: (Preset?) -> Bool,
        _ completion: @escaping @Sendable (Result<Value, Failure>) -> Void,
        _ change: (inout [ResourceName: Preset]) throws(Failure) -> Value
    ) {
        do throws(Failure) {
            var value: Value?
            let wakes = try presets.withLock { presets throws(Failure) -> PendingWakes in
                guard isWanted(presets[name]) else { throw .changed }
                let changed = try change(&presets)
                value = changed
                // The journal may answer before this returns, and the answer reads what was put.
                defer { journal?.keep(presets[name], under: name.text) { completion(.success(changed)) } }
                return put(Self.inOrder(presets))
            }
            wakes()
            if journal == nil, let value { completion(.success(value)) }
        } catch {
            completion(.failure(error))
        }
    }

    private static func inOrder(_ presets: [ResourceName: Preset]) -> [Preset] {
        presets.values.sorted { $0.name < $1.name }
    }
}
