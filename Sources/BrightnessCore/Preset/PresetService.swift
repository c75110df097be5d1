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
    private let post: @Sendable ([Preset]) -> Void

    /// Posts the presets.
    ///
    /// - Parameters:
    ///   - earlier: The presets of an earlier run.
    ///   - journal: `nil` keeps them in memory only.
    ///   - post: Posts all presets, in the order of their names. Must not block.
    package init(
        _ earlier: [Preset] = [],
        journal: (any RecordJournal)? = nil,
        post: @escaping @Sendable ([Preset]) -> Void
    ) {
        presets = Mutex(Dictionary(earlier.map { ($0.name, $0) }) { _, last in last })
        self.journal = journal
        self.post = post
        // Without presets there is nothing to say.
        if !earlier.isEmpty { presets.withLock { post(Self.inOrder($0)) } }
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

    /// Stores and posts within the lock, so that both have the changes in their order. Neither blocks.
    private func change<Value: Sendable>(
        _ name: ResourceName,
        if isWanted: (Preset?) -> Bool,
        _ completion: @escaping @Sendable (Result<Value, Failure>) -> Void,
        _ change: (inout [ResourceName: Preset]) throws(Failure) -> Value
    ) {
        do throws(Failure) {
            let value = try presets.withLock { presets throws(Failure) in
                guard isWanted(presets[name]) else { throw .changed }
                let value = try change(&presets)
                post(Self.inOrder(presets))
                journal?.keep(presets[name], under: name.text) { completion(.success(value)) }
                return value
            }
            if journal == nil { completion(.success(value)) }
        } catch {
            completion(.failure(error))
        }
    }

    private static func inOrder(_ presets: [ResourceName: Preset]) -> [Preset] {
        presets.values.sorted { $0.name < $1.name }
    }
}
