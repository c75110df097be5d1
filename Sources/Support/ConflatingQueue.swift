// SPDX-License-Identifier: Apache-2.0

/// The newest value of each key, in the order of arrival.
///
/// - A linked list in an array, so that every operation on one key has a constant cost: event loops wait for the lock
///   of a queue of 30,000 keys. Nodes of removed keys are used again, so memory is bounded by the number of keys.
/// - `public` and `@inlinable`, so that other targets specialize it for their types. Swift 6.3 does not do that with a
///   `package` declaration, and a `PUT` then takes 6 % more instructions.
public struct ConflatingQueue<Key: Hashable, Value> {
    @usableFromInline struct Node {
        /// `nil` in a free node.
        @usableFromInline var entry: (key: Key, value: Value)?
        /// The index of the node that arrived before.
        @usableFromInline var previous: Int?
        /// The index of the node that arrived after; of a free node, of another free one.
        @usableFromInline var next: Int?

        @inlinable init(_ entry: (key: Key, value: Value)) { self.entry = entry }
    }

    /// The node of each key.
    @usableFromInline var indices: [Key: Int] = [:]
    @usableFromInline var nodes: [Node] = []
    @usableFromInline var first: Int?
    @usableFromInline var last: Int?
    @usableFromInline var free: Int?

    @inlinable public init() {}

    @inlinable public var isEmpty: Bool { indices.isEmpty }
    @inlinable public var count: Int { indices.count }

    /// The approximate memory use, without what keys and values refer to.
    @inlinable public var bytes: Int {
        nodes.count * MemoryLayout<Node>.stride + indices.count * MemoryLayout<(Key, Int)>.stride
    }

    @inlinable public subscript(key: Key) -> Value? { indices[key].flatMap { nodes[$0].entry?.value } }

    // A key path would be made at run time, in ten thousand instructions.
    @inlinable public var values: [Value] { map { $0.value } }

    /// Appends a value and removes the older one of its key. Returns the removed value.
    @inlinable @discardableResult public mutating func append(_ value: Value, for key: Key) -> Value? {
        guard let index = indices[key] else {
            link(insert((key, value)))
            return nil
        }
        let older = nodes[index].entry?.value
        nodes[index].entry?.value = value
        if index != last {
            unlink(index)
            link(index)
        }
        return older
    }

    /// Replaces the value of a key in place; appends it if the key has none.
    @inlinable public mutating func update(_ value: Value, for key: Key) {
        if let index = indices[key] { nodes[index].entry?.value = value } else { append(value, for: key) }
    }

    @inlinable @discardableResult public mutating func removeValue(for key: Key) -> Value? {
        indices.removeValue(forKey: key).flatMap { remove($0)?.value }
    }

    @inlinable public mutating func popFirst() -> (key: Key, value: Value)? {
        guard let first, let oldest = nodes[first].entry else { return nil }
        removeValue(for: oldest.key)
        if isEmpty { self = ConflatingQueue() }
        return oldest
    }

    /// Removes at most `limit` of the oldest values that satisfy a condition.
    @inlinable public mutating func removeOldest(_ limit: Int = .max, where isChosen: (Value) -> Bool) {
        var left = limit
        var index = first
        while left > 0, let node = index {
            index = nodes[node].next
            if let entry = nodes[node].entry, isChosen(entry.value) {
                removeValue(for: entry.key)
                left -= 1
            }
        }
    }

    @inlinable mutating func insert(_ entry: (key: Key, value: Value)) -> Int {
        let index = free ?? nodes.count
        if free == nil {
            nodes.append(Node(entry))
        } else {
            free = nodes[index].next
            nodes[index] = Node(entry)
        }
        indices[entry.key] = index
        return index
    }

    @inlinable mutating func remove(_ index: Int) -> (key: Key, value: Value)? {
        unlink(index)
        let entry = nodes[index].entry
        nodes[index].entry = nil
        (nodes[index].next, free) = (free, index)
        return entry
    }

    @inlinable mutating func link(_ index: Int) {
        (nodes[index].previous, nodes[index].next) = (last, nil)
        if let last { nodes[last].next = index } else { first = index }
        last = index
    }

    @inlinable mutating func unlink(_ index: Int) {
        let (previous, next) = (nodes[index].previous, nodes[index].next)
        if let previous { nodes[previous].next = next } else { first = next }
        if let next { nodes[next].previous = previous } else { last = previous }
    }
}

extension ConflatingQueue: Sequence {
    /// The keys and values in the order of arrival.
    @frozen public struct Iterator: IteratorProtocol {
        @usableFromInline let nodes: [Node]
        @usableFromInline var index: Int?

        @inlinable init(_ queue: ConflatingQueue) { (nodes, index) = (queue.nodes, queue.first) }

        @inlinable public mutating func next() -> (key: Key, value: Value)? {
            guard let node = index else { return nil }
            index = nodes[node].next
            return nodes[node].entry
        }
    }

    @inlinable public func makeIterator() -> Iterator { Iterator(self) }
    @inlinable public var underestimatedCount: Int { count }
}

extension ConflatingQueue: Sendable where Key: Sendable, Value: Sendable {}
extension ConflatingQueue.Node: Sendable where Key: Sendable, Value: Sendable {}
