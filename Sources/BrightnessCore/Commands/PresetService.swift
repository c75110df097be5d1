// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The presets. Any thread. Each change is posted as `Notification.presets`; commands look presets up in the newest.
package final class PresetService: Sendable {
    package static let limit = 64

    package enum Failure: Error, Equatable {
        case tooMany
        case unknown
        /// The condition of the change does not hold.
        case changed
    }

    private let presets: Mutex<[ResourceName: Preset]>
    private let journal: any RecordJournal
    private let put: @Sendable ([Preset]) -> PendingWakes

    /// Posts the presets.
    ///
    /// - Parameter put: Puts all presets, in the order of their names, into the mailboxes.
    package init(
        _ earlier: [Preset] = [],
        journal: any RecordJournal,
        put: @escaping @Sendable ([Preset]) -> PendingWakes
    ) {
        presets = Mutex(Dictionary(earlier.map { ($0.name, $0) }) { _, last in last })
        self.journal = journal
        self.put = put
        put(presets.withLock { Self.inOrder($0) })()
    }

    /// Adds, replaces or removes a preset, whose name stays as it was first spelled. Stores and fills the mailboxes
    /// within the lock, so that both have the changes in their order. Neither blocks.
    ///
    /// - Parameters:
    ///   - preset: `nil` removes it.
    ///   - isWanted: The condition of the change, with the current preset.
    ///   - completion: Called once, after it was stored, with whether it is a new one.
    package func set(
        _ name: ResourceName,
        to preset: Preset?,
        if isWanted: (Preset?) -> Bool = { _ in true },
        completion: @escaping @Sendable (Result<Bool, Failure>) -> Void
    ) {
        do throws(Failure) {
            let wakes = try presets.withLock { presets throws(Failure) -> PendingWakes in
                let old = presets[name]
                guard isWanted(old) else { throw .changed }
                if old == nil, preset == nil { throw .unknown }
                if old == nil, presets.count >= Self.limit { throw .tooMany }
                let spelling = old?.name ?? name
                presets[name] = preset?.named(spelling)
                // The journal may answer before this returns, and the answer reads what was put.
                defer { journal.keep(presets[name], under: spelling.text) { completion(.success(old == nil)) } }
                return put(Self.inOrder(presets))
            }
            wakes()
        } catch {
            completion(.failure(error))
        }
    }

    package var all: [Preset] { presets.withLock { Self.inOrder($0) } }

    /// Replaces all presets. Names that stay do so as they were first spelled.
    package func replace(with new: [Preset]) {
        let wakes = presets.withLock { presets -> PendingWakes in
            let old = presets
            presets = Dictionary(new.map { ($0.name, $0.named(old[$0.name]?.name ?? $0.name)) }) { _, last in last }
            for name in Set(old.keys).union(presets.keys) where old[name] != presets[name] {
                journal.keep(presets[name], under: (old[name]?.name ?? name).text) {}
            }
            return put(Self.inOrder(presets))
        }
        wakes()
    }

    private static func inOrder(_ presets: [ResourceName: Preset]) -> [Preset] {
        presets.values.sorted { $0.name < $1.name }
    }
}
