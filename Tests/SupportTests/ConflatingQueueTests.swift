// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

@Suite struct ConflatingQueueTests {
    private func queue(_ arrivals: [(key: Int, value: String)]) -> ConflatingQueue<Int, String> {
        var queue = ConflatingQueue<Int, String>()
        for (key, value) in arrivals { queue.append(value, for: key) }
        return queue
    }

    private func drain<Value>(_ queue: inout ConflatingQueue<Int, Value>) -> [Int] {
        var keys: [Int] = []
        while let (key, _) = queue.popFirst() { keys.append(key) }
        return keys
    }

    @Test func `a newer value comes last and replaces the older one`() {
        var queue = queue([(1, "a"), (2, "b")])
        #expect(queue.append("c", for: 1) == "a")
        #expect(queue.append("d", for: 3) == nil)
        #expect(queue.values == ["b", "c", "d"])
        #expect((queue.count, queue[1], queue[4]) == (3, "c", nil))
        #expect(drain(&queue) == [2, 1, 3])
        #expect(queue.isEmpty)
    }

    @Test func `an update keeps the place of the older value`() {
        var queue = queue([(1, "a"), (2, "b")])
        queue.update("c", for: 1)
        queue.update("d", for: 3)
        #expect(queue.values == ["c", "b", "d"])
    }

    @Test func `a key that was popped or removed comes last when it returns`() {
        var queue = queue([(1, "a"), (2, "b"), (3, "c")])
        #expect(queue.popFirst()?.value == "a")
        #expect(queue.removeValue(for: 2) == "b")
        queue.append("d", for: 2)
        queue.append("e", for: 1)
        #expect(queue.values == ["c", "d", "e"])
        #expect(drain(&queue) == [3, 2, 1])
        queue.append("f", for: 2)
        #expect(queue.values == ["f"])
    }

    @Test(arguments: [(0, [1, 2, 3, 4, 5]), (1, [1, 3, 4, 5]), (2, [1, 3, 5]), (.max, [1, 3, 5])])
    func `the oldest values that satisfy a condition are removed, up to a limit`(limit: Int, left: [Int]) {
        var queue = ConflatingQueue<Int, Int>()
        for number in [4, 1, 2, 3, 4, 5] { queue.append(number, for: number) }
        queue.removeOldest(limit) { $0.isMultiple(of: 2) }
        #expect(queue.values == left)
        #expect(drain(&queue) == left)
    }

    @Test func `memory grows with the number of keys, and not with that of their values`() {
        var queue = ConflatingQueue<Int, Int>()
        for number in 1...100_000 { queue.append(number, for: number % 10) }
        #expect(queue.count == 10)
        #expect(queue.bytes < 2_000)
        #expect(drain(&queue) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0])
        #expect(queue.bytes == 0)
    }
}
