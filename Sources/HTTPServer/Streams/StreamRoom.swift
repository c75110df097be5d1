// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// How many event streams the whole server may hold: what its descriptors allow. Any thread.
final class StreamRoom: Sendable {
    private let left: Atomic<Int>

    init(for streams: Int) { left = Atomic(streams) }

    /// Takes a place; `false` if there is none.
    func take() -> Bool {
        if left.subtract(1, ordering: .relaxed).newValue >= 0 { return true }
        giveBack()
        return false
    }

    func giveBack() { left.add(1, ordering: .relaxed) }
}
