// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import BrightnessCore

/// Every state of one display, breadth first, with the rules of the stories.
@Suite struct ExplorationTests {
    /// A part of the states, or as many as fit into `EXPLORE_MINUTES`.
    @Test func `every reachable state of one display is right`() {
        var exploration = Exploration()
        guard let minutes = getenv("EXPLORE_MINUTES").flatMap({ Int(String(cString: $0)) }) else {
            #expect(exploration.deepen { false } == nil)
            #expect(exploration.deepen { false } == nil)
            return
        }
        let end = ContinuousClock.now + .seconds(60 * minutes)
        var violation: String?
        while violation == nil, ContinuousClock.now < end {
            violation = exploration.deepen { ContinuousClock.now >= end }
            print(exploration.figures)
        }
        #expect(violation == nil)
    }

    /// A new property has to be in the key, or has to have no influence there.
    @Test func `the key of a state has every property of the rules`() {
        let display = ExploredDisplay.first[0]
        #expect(display.counts == [35, 15, 6, 5, 4])
    }
}

/// The states that were reached, each by a shortest way.
struct Exploration {
    /// An event with its interruption, as its place among all.
    private typealias Step = UInt16

    private var seen: Set<Int> = []
    /// The way to each state: the state before, and the step from there.
    private var ways: [(from: UInt32, step: Step)] = []
    /// The states of the deepest level.
    private var level = 0..<0
    private var depth = 0
    private var transitions = 0
    private var isPartial = false
    /// The way to the last state: the next one has most of it, too.
    private var trail: [(state: Int, display: ExploredDisplay)] = []

    init() {
        for display in ExploredDisplay.first { _ = add(display, from: ways.count, by: 0) }
        level = 0..<ways.count
    }

    var figures: String {
        "depth \(depth)\(isPartial ? " in part" : ""): \(seen.count) states, \(transitions) transitions"
    }

    private mutating func add(_ display: ExploredDisplay, from state: Int, by step: Step) -> Bool {
        guard seen.insert(display.key).inserted else { return false }
        ways.append((UInt32(state), step))
        return true
    }

    /// Takes every step from each state of the deepest level.
    ///
    /// - Parameter isOver: Whether the time is over.
    /// - Returns: The violated rule with the shortest way to it, or `nil`.
    mutating func deepen(unless isOver: () -> Bool) -> String? {
        let first = ways.count
        depth += 1
        for state in level {
            if state.isMultiple(of: 64), isOver() {
                isPartial = true
                break
            }
            let display = display(at: state)
            for step in 0..<Step(ExploredDisplay.events.count * ExploredDisplay.interruptions.count) {
                guard let next = Self.after(display, step) else { continue }
                transitions += 1
                if let violation = next.violation {
                    let steps = trail.dropFirst().map { ways[$0.state].step } + [step]
                    return "\(violation), after \(steps.map(Self.words))"
                }
                _ = add(next, from: state, by: step)
            }
        }
        level = first..<ways.count
        return nil
    }

    private mutating func display(at state: Int) -> ExploredDisplay {
        var way: [Int] = [state]
        while let last = way.last, ways[last].from != last { way.append(Int(ways[last].from)) }
        way.reverse()
        let shared = zip(way, trail).prefix { $0 == $1.state }.count
        trail.removeSubrange(shared...)
        for state in way[shared...] {
            let display = trail.last.map { Self.after($0.display, ways[state].step)! } ?? ExploredDisplay.first[state]
            trail.append((state, display))
        }
        return trail[trail.count - 1].display
    }

    private static func parts(_ step: Step) -> (ExploredDisplay.Event, ExploredDisplay.Interruption?) {
        let (event, interruption) = Int(step).quotientAndRemainder(dividingBy: ExploredDisplay.interruptions.count)
        return (ExploredDisplay.events[event], ExploredDisplay.interruptions[interruption])
    }

    private static func after(_ display: ExploredDisplay, _ step: Step) -> ExploredDisplay? {
        let (event, interruption) = parts(step)
        return display.after(event, interruption)
    }

    private static func words(_ step: Step) -> String {
        let (event, interruption) = parts(step)
        return "\(event)" + (interruption.map { ", \($0)" } ?? "")
    }
}
