// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

@Suite struct FanOutTests {
    let handle = RetainedEvents.Handle(slot: 0, serial: 0)

    private func visits(_ fanOut: inout FanOut, of count: Int, limit: Int = .max) -> [Int] {
        var visited: [Int] = []
        while visited.count < limit, let next = fanOut.next(of: count) { visited.append(next) }
        return visited
    }

    @Test(arguments: [
        (0, [0, 1, 2, 3]), (2, [2, 3, 0, 1]), (3, [3, 0, 1, 2]), (4, [0, 1, 2, 3]), (9, [0, 1, 2, 3]),
    ])
    func `a fan-out serves every stream once, from its start around the ring`(start: Int, order: [Int]) {
        var fanOut = FanOut(handle, version: 1, from: start)
        #expect(visits(&fanOut, of: 4) == order)
        #expect(fanOut.next(of: 4) == nil)
    }

    @Test(arguments: 0...6)
    func `a fan-out serves every stream once while the ring grows`(grownAfter served: Int) {
        var fanOut = FanOut(handle, version: 1, from: 2)
        let visited = visits(&fanOut, of: 4, limit: served) + visits(&fanOut, of: 6)
        #expect(Set(visited).isSuperset(of: [0, 1, 2, 3]))
        #expect(Set(visited).count == visited.count)
    }

    @Test(arguments: 0...4, 0...4)
    func `a fan-out knows which streams are still to be served`(start: Int, served: Int) {
        var fanOut = FanOut(handle, version: 1, from: start)
        let done = Set(visits(&fanOut, of: 4, limit: served))
        for index in 0..<4 { #expect(fanOut.willServe(index) == !done.contains(index)) }
    }

    @Test func `a fan-out of an empty ring serves no stream`() {
        var fanOut = FanOut(handle, version: 1, from: 0)
        #expect(fanOut.next(of: 0) == nil)
    }

    @Test func `a newer event of the same key continues at the older one's stream`() throws {
        var fanOuts = FanOuts()
        let other = RetainedEvents.Handle(slot: 1, serial: 0)
        fanOuts.begin(handle, version: 1)
        fanOuts.begin(other, version: 2)
        var first = try #require(fanOuts.first)
        #expect(visits(&first, of: 4, limit: 3) == [0, 1, 2])
        fanOuts.replaceFirst(with: first)

        fanOuts.begin(handle, version: 3, insteadOf: 1)
        #expect(fanOuts.first?.handle == other)
        fanOuts.removeFirst()
        var newer = try #require(fanOuts.first)
        #expect(newer.version == 3)
        #expect(visits(&newer, of: 4) == [3, 0, 1, 2])
    }
}
