// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Synchronization

/// The responses to POSTs with an `Idempotency-Key`: a client that lost a response repeats the request without a second
/// effect. Shared by all shards; locked only by such requests.
///
/// - SeeAlso: IETF draft "The Idempotency-Key HTTP Header Field".
final class IdempotencyStore: Sendable {
    /// How long a response is stored.
    static let retention: Duration = .seconds(600)
    /// The most stored responses; beyond that the oldest is dropped.
    static let limit = 10_000

    /// A client's key. Keys of different principals are independent.
    struct Key: Hashable, Sendable {
        private let text: String
        private let principal: Principal

        init(_ text: String, of principal: Principal) {
            self.text = text
            self.principal = principal
        }
    }

    /// The target and the body of a request; of the body its digest, since thousands of bodies would be megabytes.
    struct Fingerprint: Hashable, Sendable {
        private let target: [String]
        private let body: SecretDigest

        /// - Parameter target: The path and the query.
        init(_ target: [String], _ body: [UInt8]) {
            self.target = target
            self.body = SecretDigest(of: body)
        }
    }

    /// The handling of a request with a key.
    enum Verdict: Sendable {
        case carryOut
        case answer(Response)
        /// The first request with this key has no response yet.
        case isRunning
        /// The key was used for another request.
        case isOther
    }

    private struct Entry {
        let fingerprint: Fingerprint
        let begun: Instant
        var response: Response?
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// The keys, oldest first.
        var order: [Key] = []

        mutating func forget(before instant: Instant) {
            let kept = order.firstIndex { entries[$0].map { $0.begun > instant } ?? false } ?? order.count
            let count = max(kept, order.count - IdempotencyStore.limit)
            for key in order.prefix(count) { entries[key] = nil }
            order.removeFirst(count)
        }
    }

    private let state = Mutex(State())

    func begin(_ key: Key, _ fingerprint: Fingerprint, at now: Moment) -> Verdict {
        state.withLock { state in
            state.forget(before: now.instant - Self.retention)
            guard let entry = state.entries[key] else {
                state.entries[key] = Entry(fingerprint: fingerprint, begun: now.instant)
                state.order.append(key)
                return .carryOut
            }
            guard entry.fingerprint == fingerprint else { return .isOther }
            return entry.response.map { .answer($0) } ?? .isRunning
        }
    }

    /// Stores the response. A server error (5xx) is forgotten, so that the request can be retried.
    func end(_ key: Key, _ response: Response) {
        guard response.status < 500 else { return forget(key) }
        state.withLock { $0.entries[key]?.response = response }
    }

    /// Forgets a request that was not carried out.
    func forget(_ key: Key) {
        state.withLock { state in
            state.entries[key] = nil
            state.order.removeAll { $0 == key }
        }
    }
}
