// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Support

/// The requests with an `Idempotency-Key` and their responses. Rules only; time is an argument.
///
/// A key is never forgotten before its time: a principal with too many gets no new one, and of responses that are too
/// large together only the fact remains that the request was carried out. So no request is carried out twice, and no
/// principal takes the space of another.
struct IdempotencyRecords {
    /// How long a key is stored.
    static let retention: Duration = .seconds(600)
    /// The most keys of a principal.
    static let keysOfPrincipal = 8_192
    /// The most keys. A principal with fewer than `reservedKeys` gets a new one also beyond.
    static let keys = 16_384
    static let reservedKeys = 256
    /// The most bytes of stored responses, of a principal and in all.
    static let bytesOfPrincipal = 1_048_576
    static let bytes = 8_388_608

    /// A client's key. Keys of different principals are independent.
    struct Key: Hashable, Sendable {
        fileprivate let text: String
        let principal: Principal

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
        /// The first request with this key was carried out; its response is no longer stored.
        case isDropped
        /// The key was used for another request.
        case isOther
        /// The principal has too many keys. The earliest time at which it has fewer.
        case isFull(until: Instant)
    }

    private enum Outcome {
        case running
        case stored(Response)
        case dropped
    }

    private struct Entry {
        let fingerprint: Fingerprint
        let begun: Instant
        var outcome = Outcome.running
    }

    /// The share of one principal.
    private struct Usage {
        /// Its keys, the oldest first.
        var keys = ConflatingQueue<Key, Instant>()
        /// The sizes of its stored responses, the oldest first.
        var responses = ConflatingQueue<Key, Int>()
        var bytes = 0
    }

    private var entries: [Key: Entry] = [:]
    /// The keys, the oldest first.
    private var order = ConflatingQueue<Key, Instant>()
    private var usages: [Principal: Usage] = [:]
    private(set) var storedBytes = 0

    var count: Int { entries.count }

    mutating func begin(_ key: Key, _ fingerprint: Fingerprint, at now: Instant) -> Verdict {
        forget(before: now - Self.retention)
        if let entry = entries[key] {
            guard entry.fingerprint == fingerprint else { return .isOther }
            switch entry.outcome {
            case .running: return .isRunning
            case .stored(let response): return .answer(response)
            case .dropped: return .isDropped
            }
        }
        let held = usages[key.principal]?.keys.count ?? 0
        if held >= (entries.count < Self.keys ? Self.keysOfPrincipal : Self.reservedKeys) {
            return .isFull(until: (usages[key.principal]?.keys.oldest()?.value ?? now) + Self.retention)
        }
        entries[key] = Entry(fingerprint: fingerprint, begun: now)
        order.append(now, for: key)
        usages[key.principal, default: Usage()].keys.append(now, for: key)
        return .carryOut
    }

    /// Stores the response. A failed request has changed nothing: its key is free again.
    mutating func end(_ key: Key, _ response: Response) {
        guard response.status < 400 else { return forget(key) }
        guard case .running? = entries[key]?.outcome else { return }
        let size = response.storedSize
        guard size <= Self.bytesOfPrincipal else {
            entries[key]?.outcome = .dropped
            return
        }
        entries[key]?.outcome = .stored(response)
        usages[key.principal]?.responses.append(size, for: key)
        usages[key.principal]?.bytes += size
        storedBytes += size
        while usages[key.principal]?.bytes ?? 0 > Self.bytesOfPrincipal { dropOldest(of: key.principal) }
        while storedBytes > Self.bytes, let greatest = usages.max(by: { $0.value.bytes < $1.value.bytes }) {
            dropOldest(of: greatest.key)
        }
    }

    /// Forgets a request that was not carried out.
    mutating func forget(_ key: Key) {
        guard entries.removeValue(forKey: key) != nil else { return }
        order.removeValue(for: key)
        forgetResponse(to: key)
        usages[key.principal]?.keys.removeValue(for: key)
        if usages[key.principal]?.keys.isEmpty == true { usages[key.principal] = nil }
    }

    private mutating func forget(before instant: Instant) {
        while let (key, begun) = order.oldest(), begun <= instant { forget(key) }
    }

    private mutating func forgetResponse(to key: Key) {
        guard let size = usages[key.principal]?.responses.removeValue(for: key) else { return }
        usages[key.principal]?.bytes -= size
        storedBytes -= size
    }

    /// Drops the oldest stored response of a principal; that the request was carried out is remembered.
    private mutating func dropOldest(of principal: Principal) {
        guard let (key, size) = usages[principal]?.responses.popFirst() else { return }
        usages[principal]?.bytes -= size
        storedBytes -= size
        entries[key]?.outcome = .dropped
    }
}

extension Response {
    fileprivate var storedSize: Int { fields.reduce(length) { $0 + $1.name.utf8.count + $1.value.utf8.count } }
}
