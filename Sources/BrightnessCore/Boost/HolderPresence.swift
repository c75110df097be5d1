// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Which holders have a stream open, and how many. Any thread.
final class HolderPresence: Sendable {
    private let streams = Mutex<[String: Int]>([:])

    func isPresent(_ holder: String) -> Bool { streams.withLock { $0[holder] != nil } }

    /// Returns whether it is the holder's first.
    func opened(_ holder: String) -> Bool {
        streams.withLock { streams in
            streams[holder, default: 0] += 1
            return streams[holder] == 1
        }
    }

    /// Returns whether it was the holder's last.
    func closed(_ holder: String) -> Bool {
        streams.withLock { streams in
            guard let count = streams[holder], count > 1 else { return streams.removeValue(forKey: holder) != nil }
            streams[holder] = count - 1
            return false
        }
    }
}
