// SPDX-License-Identifier: Apache-2.0
import Support
import Synchronization

/// Whether a holder has an open stream.
enum HolderConnectivity: Hashable, Sendable {
    /// Since its first stream was opened.
    case connected(since: Moment)
    /// Since its last stream was closed.
    case gone(since: Moment)
    /// The holder has never had a stream, or closed its last one long ago.
    case unknown

    var isConnected: Bool { if case .connected = self { true } else { false } }
}

/// The open event streams and WebSockets of each holder, and when holders came and went. It can be used from any
/// thread.
///
/// A state and no queue of events: each display compares its leases with it when it gets to its commands. So no change
/// is lost while a panel hangs, and the end of a grace period does not depend on when the display got there.
final class HolderConnections: Sendable {
    /// A holder's name, which is unique within its principal.
    private struct HolderKey: Hashable {
        let name: String
        let principal: Principal
    }

    private struct Streams {
        var count: Int
        /// When the first one was opened, or without any, when the last one was closed.
        var since: Moment
    }

    /// The number of holders without a stream that are remembered: more than come and go within a grace period.
    private static let limit = 4_096

    private struct State {
        var streams: [HolderKey: Streams] = [:]
        /// The holders that closed their last stream and did not come back, in that order.
        var gone = ConflatingQueue<HolderKey, Void>()

        mutating func remember(gone holder: HolderKey) {
            gone.append((), for: holder)
            while gone.count > HolderConnections.limit, let (oldest, _) = gone.popFirst() { streams[oldest] = nil }
        }
    }

    private let state = Mutex(State())
    private let changes = Atomic(0)

    /// The number of holders that came or went so far. Read it before `connectivity`: then no change is missed.
    var version: Int { changes.load(ordering: .acquiring) }

    func connectivity(of name: String, _ principal: Principal) -> HolderConnectivity {
        guard let streams = state.withLock({ $0.streams[HolderKey(name: name, principal: principal)] }) else {
            return .unknown
        }
        return streams.count > 0 ? .connected(since: streams.since) : .gone(since: streams.since)
    }

    /// Counts an opened stream of these holders. Returns whether it is the first one of any.
    func opened(_ names: Set<String>, of principal: Principal, at now: Moment) -> Bool {
        change(names, of: principal) { state, holder in
            let count = state.streams[holder]?.count ?? 0
            guard count == 0 else {
                state.streams[holder]?.count += 1
                return false
            }
            state.streams[holder] = Streams(count: 1, since: now)
            state.gone.removeValue(for: holder)
            return true
        }
    }

    /// Counts a closed stream of these holders. Returns whether it was the last one of any.
    func closed(_ names: Set<String>, of principal: Principal, at now: Moment) -> Bool {
        change(names, of: principal) { state, holder in
            guard let count = state.streams[holder]?.count, count > 0 else { return false }
            guard count == 1 else {
                state.streams[holder]?.count -= 1
                return false
            }
            state.streams[holder] = Streams(count: 0, since: now)
            state.remember(gone: holder)
            return true
        }
    }

    private func change(
        _ names: Set<String>,
        of principal: Principal,
        _ body: (inout State, HolderKey) -> Bool
    ) -> Bool {
        let isChanged = state.withLock { state in
            var isChanged = false
            for name in names where body(&state, HolderKey(name: name, principal: principal)) { isChanged = true }
            return isChanged
        }
        if isChanged { changes.add(1, ordering: .acquiringAndReleasing) }
        return isChanged
    }
}
