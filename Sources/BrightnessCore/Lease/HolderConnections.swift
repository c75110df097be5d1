// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The number of open event streams and WebSockets of each holder. It can be used from any thread.
final class HolderConnections: Sendable {
    /// A holder's name, which is unique within its principal.
    private struct Holder: Hashable {
        let name: String
        let principal: Principal
    }

    private let streams = Mutex<[Holder: Int]>([:])

    func isPresent(_ name: String, of principal: Principal) -> Bool {
        streams.withLock { $0[Holder(name: name, principal: principal)] != nil }
    }

    /// Counts an opened stream. Returns whether it is the holder's first.
    func opened(_ name: String, of principal: Principal) -> Bool {
        let holder = Holder(name: name, principal: principal)
        return streams.withLock { streams in
            streams[holder, default: 0] += 1
            return streams[holder] == 1
        }
    }

    /// Counts a closed stream. Returns whether it was the holder's last.
    func closed(_ name: String, of principal: Principal) -> Bool {
        let holder = Holder(name: name, principal: principal)
        return streams.withLock { streams in
            guard let count = streams[holder], count > 1 else { return streams.removeValue(forKey: holder) != nil }
            streams[holder] = count - 1
            return false
        }
    }
}
