// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@Suite struct PacedCommandsTests {
    private typealias Commands = PacedCommands<WriteQuotas<String>, String, Int>

    private let start = Instant(sinceBoot: .seconds(1_000))

    /// Runs the commands that have room until none waits. Returns each with its time.
    private func drain(_ commands: inout Commands) -> [(number: Int, at: Instant)] {
        var done: [(Int, Instant)] = []
        while let deadline = commands.deadline { done += commands.takeDue(at: deadline).map { ($0, deadline) } }
        return done
    }

    @Test(arguments: [40, 60, 100, 200, 1_000, 100_000])
    func `the last value of a stream is carried out, within a write of the end`(perSecond: Int) throws {
        var commands = Commands(WriteQuota(perSecond: 50))
        var (done, skipped): ([Int], [Int]) = ([], [])
        let count = 3 * perSecond
        for number in 1...count {
            let now = start + .seconds(1) * number / perSecond
            while let deadline = commands.deadline, deadline <= now { done += commands.takeDue(at: deadline) }
            if let old = commands.add(number, to: "panel", as: "set", at: now) { skipped.append(old.command) }
            done += commands.takeDue(at: now)
        }
        let rest = drain(&commands)
        done += rest.map(\.number)
        #expect(done.last == count)
        #expect(done == done.sorted())
        #expect((done + skipped).sorted() == Array(1...count))
        #expect(skipped.isEmpty == (perSecond <= 60))
        // A burst of 100, and 50 a second.
        #expect(done.count <= 251)
        for (_, end) in rest { #expect(end <= start + .seconds(3) + .milliseconds(21)) }
    }

    @Test func `targets have quotas of their own, and a full one delays no other`() {
        var commands = Commands(WriteQuota(perSecond: 1))
        for number in 1...9 { #expect((commands.add(number, to: "a", as: "a/set", at: start) != nil) == (number > 1)) }
        #expect(commands.takeDue(at: start) == [9])
        for number in 10...12 {
            _ = commands.add(number, to: "a", as: "a/set", at: start)
            #expect(commands.takeDue(at: start) == (number == 10 ? [10] : []))
        }
        _ = commands.add(13, to: "b", as: "b/set", at: start)
        #expect(commands.takeDue(at: start) == [13])
        #expect(drain(&commands).map(\.number) == [12])
        #expect(commands.deadline == nil)
    }

    @Test func `each that waits is carried out when its own target has room`() {
        var commands = Commands(WriteQuota(perSecond: 1))
        var done: [Int] = []
        for (number, target, offset) in [
            (1, "a", 0), (2, "a", 0), (3, "a", 0), (4, "b", 500), (5, "b", 500), (6, "b", 500), (7, "c", 750),
        ] {
            let now = start + .milliseconds(offset)
            #expect(commands.add(number, to: target, as: target, at: now) == nil)
            done += commands.takeDue(at: now)
        }
        #expect(done == [1, 2, 4, 5, 7])
        let rest = drain(&commands)
        #expect(rest.map(\.number) == [3, 6])
        #expect(rest.map(\.at) == [start + .seconds(1), start + .milliseconds(1_500)])
    }

    @Test func `commands of different kinds wait in the order of their newest`() {
        var commands = Commands(WriteQuota(perSecond: 1))
        for number in 1...2 {
            _ = commands.add(number, to: "a", as: "set", at: start)
            #expect(commands.takeDue(at: start) == [number])
        }
        #expect(commands.add(3, to: "a", as: "set", at: start) == nil)
        #expect(commands.add(4, to: "a", as: "boost", at: start) == nil)
        let skipped = commands.add(5, to: "a", as: "set", at: start)
        #expect(skipped?.command == 3 && skipped?.problem.type == .rateLimited)
        let rest = drain(&commands)
        #expect(rest.map(\.number) == [4, 5])
        #expect(rest.map(\.at) == [start + .seconds(1), start + .seconds(2)])
    }

    @Test func `without a quota nothing waits`() {
        var commands = Commands(nil)
        for number in 1...1_000 {
            #expect(commands.add(number, to: "a", as: "set", at: start) == nil)
            #expect(commands.takeDue(at: start) == [number])
        }
    }

    @Test func `no more wait than the limit, and each has its answer`() {
        var commands = Commands(WriteQuota(perSecond: 1))
        for number in 1...5_000 {
            let skipped = commands.add(number, to: "a", as: "\(number)", at: start)
            #expect(skipped?.command == (number > 2 + Commands.limit ? number : nil))
            _ = commands.takeDue(at: start)
        }
        #expect(drain(&commands).map(\.number) == Array(3...2 + Commands.limit))
    }

    @Test func `with more targets than there are buckets the last value is carried out as well`() {
        var commands = Commands(WriteQuota(perSecond: 50))
        for number in 0..<WriteQuotas<String>.limit {
            _ = commands.add(number, to: "\(number)", as: "\(number)", at: start)
            _ = commands.takeDue(at: start)
        }
        for number in 1...1_000 { _ = commands.add(number, to: "new", as: "new", at: start) }
        #expect(drain(&commands).last?.number == 1_000)
    }
}
