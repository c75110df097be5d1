// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Synchronization

/// The responses to POSTs with an `Idempotency-Key`: a client that lost a response repeats the request without a second
/// effect. Shared by all shards; locked only by such requests.
///
/// - SeeAlso: IETF draft "The Idempotency-Key HTTP Header Field".
final class IdempotencyStore: Sendable {
    private let records = Mutex(IdempotencyRecords())

    func begin(
        _ key: IdempotencyRecords.Key,
        _ fingerprint: IdempotencyRecords.Fingerprint,
        at now: Moment
    ) -> IdempotencyRecords.Verdict {
        records.withLock { $0.begin(key, fingerprint, at: now.instant) }
    }

    func end(_ key: IdempotencyRecords.Key, _ response: Response) { records.withLock { $0.end(key, response) } }

    func forget(_ key: IdempotencyRecords.Key) { records.withLock { $0.forget(key) } }
}
