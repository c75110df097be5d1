// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Synchronization

/// The answers to POSTs that carried an `Idempotency-Key`: so that a client that lost an answer may ask again without
/// asking twice. Shared by all shards; locked only by such requests.
///
/// - SeeAlso: IETF draft "The Idempotency-Key HTTP Header Field".
final class IdempotencyStore: Sendable {
    /// How long an answer is kept.
    static let retention: Duration = .seconds(600)
    /// How many are kept; beyond that the oldest goes early.
    static let limit = 10_000

    /// A key is its principal's: nobody gets an answer, or is refused, because of another principal's keys.
    struct Key: Hashable, Sendable {
        private let text: String
        private let principal: Principal

        init(_ text: String, of principal: Principal) {
            self.text = text
            self.principal = principal
        }
    }

    /// What was asked under a key, with POST. The body's digest: thousands of bodies would be megabytes.
    struct Asked: Hashable, Sendable {
        private let target: [String]
        private let body: SecretDigest

        /// - Parameter target: The path and the query.
        init(_ target: [String], _ body: [UInt8]) {
            self.target = target
            self.body = SecretDigest(of: body)
        }
    }

    /// What is to be done with a request under a key.
    enum Verdict: Sendable {
        case carryOut
        case answer(Response)
        /// The first request of this key is under way.
        case isRunning
        /// The key was used for something else.
        case isOther
    }

    private struct Entry {
        let asked: Asked
        let begun: Instant
        var response: Response?
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// Keys in the order they began.
        var order: [Key] = []

        mutating func forget(before instant: Instant) {
            let kept = order.firstIndex { entries[$0].map { $0.begun > instant } ?? false } ?? order.count
            let count = max(kept, order.count - IdempotencyStore.limit)
            for key in order.prefix(count) { entries[key] = nil }
            order.removeFirst(count)
        }
    }

    private let state = Mutex(State())

    func begin(_ key: Key, _ asked: Asked, at now: Moment) -> Verdict {
        state.withLock { state in
            state.forget(before: now.instant - Self.retention)
            guard let entry = state.entries[key] else {
                state.entries[key] = Entry(asked: asked, begun: now.instant)
                state.order.append(key)
                return .carryOut
            }
            guard entry.asked == asked else { return .isOther }
            return entry.response.map { .answer($0) } ?? .isRunning
        }
    }

    /// The command has been carried out. What failed for a reason that may pass is forgotten, so that it can be tried
    /// again.
    func end(_ key: Key, _ response: Response) {
        state.withLock { state in
            if response.status >= 500 {
                state.entries[key] = nil
                state.order.removeAll { $0 == key }
            } else {
                state.entries[key]?.response = response
            }
        }
    }
}
