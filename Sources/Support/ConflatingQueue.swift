// SPDX-License-Identifier: Apache-2.0

/// The newest value of each key, in the order of arrival.
///
/// - Indices of replaced values are skipped, and removed when they outnumber the others. So memory is bounded by the
///   number of keys, and operations have constant amortized cost.
/// - `public` and `@inlinable`, so that other targets specialize it for their types. Swift 6.3 does not do that with a
///   `package` declaration, and a `PUT` then takes 6 % more instructions.
public struct ConflatingQueue<Key: Hashable, Value> {
    @usableFromInline struct Entry {
        @usableFromInline var value: Value
        /// The index of its arrival.
        @usableFromInline var index: Int

        @inlinable init(_ value: Value, _ index: Int) {
            self.value = value
            self.index = index
        }
    }

    @usableFromInline var newest: [Key: Entry] = [:]
    /// The keys from `first` on; `nil` where a value was replaced or removed.
    @usableFromInline var arrivals: [Key?] = []
    @usableFromInline var first = 0

    @inlinable public init() {}

    @inlinable public var isEmpty: Bool { newest.isEmpty }
    @inlinable public var count: Int { newest.count }

    /// The approximate memory use, without what keys and values refer to.
    @inlinable public var bytes: Int {
        arrivals.count * MemoryLayout<Key?>.stride + newest.count * MemoryLayout<(Key, Entry)>.stride
    }

    @inlinable public subscript(key: Key) -> Value? { newest[key]?.value }

    /// The keys and values in the order of arrival.
    @inlinable public var entries: [(key: Key, value: Value)] {
        arrivals[first...].compactMap { key in
            key.flatMap { key in newest[key].map { (key, $0.value) } }
        }
    }

    @inlinable public var values: [Value] { entries.map(\.value) }

    /// Appends a value and removes the older one of its key. Returns the removed value.
    @inlinable @discardableResult public mutating func append(_ value: Value, for key: Key) -> Value? {
        let older = newest.updateValue(Entry(value, arrivals.count), forKey: key)
        if let older { arrivals[older.index] = nil }
        arrivals.append(key)
        if arrivals.count > 2 * newest.count + 16 { removeOldest(0) { _ in false } }
        return older?.value
    }

    /// Replaces the value of a key in place; appends it if the key has none.
    @inlinable public mutating func update(_ value: Value, for key: Key) {
        if newest[key] == nil { append(value, for: key) } else { newest[key]?.value = value }
    }

    @inlinable @discardableResult public mutating func removeValue(for key: Key) -> Value? {
        guard let removed = newest.removeValue(forKey: key) else { return nil }
        arrivals[removed.index] = nil
        return removed.value
    }

    /// Returns the oldest value. Mutates, since it removes the replaced ones before it.
    @inlinable public mutating func oldest() -> (key: Key, value: Value)? {
        while first < arrivals.count {
            if let key = arrivals[first], let entry = newest[key] { return (key, entry.value) }
            first += 1
        }
        return nil
    }

    @inlinable public mutating func popFirst() -> (key: Key, value: Value)? {
        guard let oldest = oldest() else { return nil }
        removeValue(for: oldest.key)
        if newest.isEmpty { self = ConflatingQueue() }
        return oldest
    }

    /// Removes at most `limit` of the oldest values that satisfy a condition.
    @inlinable public mutating func removeOldest(_ limit: Int = .max, where isChosen: (Value) -> Bool) {
        var left = limit
        var kept: [Key?] = []
        kept.reserveCapacity(2 * newest.count + 17)
        for case let key? in arrivals[first...] {
            if left > 0, let value = newest[key]?.value, isChosen(value) {
                newest[key] = nil
                left -= 1
            } else {
                newest[key]?.index = kept.count
                kept.append(key)
            }
        }
        (arrivals, first) = (kept, 0)
    }
}

extension ConflatingQueue: Sendable where Key: Sendable, Value: Sendable {}
extension ConflatingQueue.Entry: Sendable where Key: Sendable, Value: Sendable {}
