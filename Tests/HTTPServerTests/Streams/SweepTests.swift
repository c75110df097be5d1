// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

@Suite struct SweepTests {
    let place = EventBoard.Place(slot: 0, serial: 0)

    private func visits(_ sweep: inout Sweep, of count: Int, limit: Int = .max) -> [Int] {
        var visited: [Int] = []
        while visited.count < limit, let next = sweep.next(of: count) { visited.append(next) }
        return visited
    }

    @Test(arguments: [
        (0, [0, 1, 2, 3]), (2, [2, 3, 0, 1]), (3, [3, 0, 1, 2]), (4, [0, 1, 2, 3]), (9, [0, 1, 2, 3]),
    ])
    func `serves every place once, from its start around the ring`(start: Int, order: [Int]) {
        var sweep = Sweep(place, version: 1, from: start)
        #expect(visits(&sweep, of: 4) == order)
        #expect(sweep.next(of: 4) == nil)
    }

    @Test(arguments: 0...6)
    func `misses nobody and serves nobody twice when the ring grows meanwhile`(grownAfter served: Int) {
        var sweep = Sweep(place, version: 1, from: 2)
        let visited = visits(&sweep, of: 4, limit: served) + visits(&sweep, of: 6)
        #expect(Set(visited).isSuperset(of: [0, 1, 2, 3]))
        #expect(Set(visited).count == visited.count)
    }

    @Test(arguments: 0...4, 0...4)
    func `knows whom it has yet to come to`(start: Int, served: Int) {
        var sweep = Sweep(place, version: 1, from: start)
        let done = Set(visits(&sweep, of: 4, limit: served))
        for index in 0..<4 { #expect(sweep.isAhead(of: index) == !done.contains(index)) }
    }

    @Test func `of nobody it serves nobody`() {
        var sweep = Sweep(place, version: 1, from: 0)
        #expect(sweep.next(of: 0) == nil)
    }

    @Test func `a newer event of the same key goes on where the older one was`() throws {
        var sweeps = Sweeps()
        let other = EventBoard.Place(slot: 1, serial: 0)
        sweeps.begin(place, version: 1)
        sweeps.begin(other, version: 2)
        var first = try #require(sweeps.first)
        #expect(visits(&first, of: 4, limit: 3) == [0, 1, 2])
        sweeps.replaceFirst(with: first)

        sweeps.begin(place, version: 3, insteadOf: 1)
        #expect(sweeps.first?.place == other)
        sweeps.removeFirst()
        var newer = try #require(sweeps.first)
        #expect(newer.version == 3)
        #expect(visits(&newer, of: 4) == [3, 0, 1, 2])
    }
}
