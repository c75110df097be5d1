// SPDX-License-Identifier: Apache-2.0

/// The newest value of each key, in the order of arrival.
///
/// - Replaced entries are skipped, and removed when they outnumber the valid ones. So memory is bounded by the number
///   of keys, and operations have constant amortized cost.
/// - `public` and `@inlinable`, so that other targets specialize it for their types. Swift 6.3 does not do that with a
///   `package` declaration, and a `PUT` then takes 6 % more instructions.
public struct ConflatingQueue<Key: Hashable, Value> {
    @usableFromInline struct Entry {
        @usableFromInline var value: Value
        @usableFromInline let number: UInt64

        @inlinable init(_ value: Value, _ number: UInt64) {
            self.value = value
            self.number = number
        }
    }

    @usableFromInline typealias Arrival = (key: Key, number: UInt64)

    @usableFromInline var newest: [Key: Entry] = [:]
    /// Every arrival from `first` on. An arrival whose number differs from the one in `newest` was replaced.
    @usableFromInline var arrivals: [Arrival] = []
    @usableFromInline var first = 0
    @usableFromInline var lastNumber: UInt64 = 0

    @inlinable public init() {}

    @inlinable public var isEmpty: Bool { newest.isEmpty }
    @inlinable public var count: Int { newest.count }

    /// The approximate memory use, without what keys and values refer to.
    @inlinable public var bytes: Int {
        arrivals.count * MemoryLayout<Arrival>.stride + newest.count * MemoryLayout<(Key, Entry)>.stride
    }

    @inlinable public subscript(key: Key) -> Value? { newest[key]?.value }

    /// The keys and values in the order of arrival.
    @inlinable public var entries: [(key: Key, value: Value)] {
        arrivals[first...].compactMap { key, number in
            newest[key].flatMap { $0.number == number ? (key, $0.value) : nil }
        }
    }

    /// The values in the order of arrival.
    @inlinable public var values: [Value] { entries.map(\.value) }

    /// Appends a value and removes the older one of its key. Returns the removed value.
    @inlinable @discardableResult public mutating func append(_ value: Value, for key: Key) -> Value? {
        lastNumber += 1
        let older = newest.updateValue(Entry(value, lastNumber), forKey: key)
        if let older, let last = arrivals.indices.last, arrivals[last].number == older.number {
            arrivals[last].number = lastNumber
            return older.value
        }
        if arrivals.count > 2 * newest.count + 16 { removeOldest(0) { _ in false } }
        arrivals.append((key, lastNumber))
        return older?.value
    }

    /// Replaces the value of a key in place; appends it if the key has none.
    @inlinable public mutating func update(_ value: Value, for key: Key) {
        if newest[key] == nil { append(value, for: key) } else { newest[key]?.value = value }
    }

    @inlinable @discardableResult public mutating func removeValue(for key: Key) -> Value? {
        newest.removeValue(forKey: key)?.value
    }

    /// Returns the oldest value. Mutates, since it removes the replaced ones before it.
    @inlinable public mutating func oldest() -> (key: Key, value: Value)? {
        while first < arrivals.count {
            let (key, number) = arrivals[first]
            if let entry = newest[key], entry.number == number { return (key, entry.value) }
            first += 1
        }
        return nil
    }

    /// Removes and returns the oldest value.
    @inlinable public mutating func popFirst() -> (key: Key, value: Value)? {
        guard let oldest = oldest() else { return nil }
        first += 1
        newest[oldest.key] = nil
        if newest.isEmpty { self = ConflatingQueue() }
        return oldest
    }

    /// Removes at most `limit` of the oldest values that satisfy a condition.
    @inlinable public mutating func removeOldest(_ limit: Int = .max, where isChosen: (Value) -> Bool) {
        var left = limit
        var kept: [Arrival] = []
        for (key, number) in arrivals[first...] {
            guard let entry = newest[key], entry.number == number else { continue }
            if left > 0, isChosen(entry.value) {
                newest[key] = nil
                left -= 1
            } else {
                kept.append((key, number))
            }
        }
        (arrivals, first) = (kept, 0)
    }
}

extension ConflatingQueue: Sendable where Key: Sendable, Value: Sendable {}
extension ConflatingQueue.Entry: Sendable where Key: Sendable, Value: Sendable {}
