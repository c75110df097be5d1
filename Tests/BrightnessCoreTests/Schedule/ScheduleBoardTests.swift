// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

struct ScheduleBoardTests {
    private let planner = SchedulePlanner(FakeZone.utc)
    private let night = Schedule.of("22:00", "07:00")

    private func evaluate(
        _ board: inout ScheduleBoard,
        _ text: String,
        isSet: Bool = true,
        _ displays: [DisplayID] = [.left]
    ) -> [ScheduleBoard.Action] {
        board.evaluate(at: Timestamp(milliseconds: at(text) * 1_000), isClockSet: isSet, displays: displays).actions
    }

    @Test func `a schedule begins and ends once on each display`() {
        var board = ScheduleBoard(planner, [ScheduleRecord(night)])
        #expect(evaluate(&board, "2026-11-21T21:59").isEmpty)
        #expect(
            evaluate(&board, "2026-11-21T22:00", [.left, .right]) == [
                .begin(night, on: .left), .begin(night, on: .right),
            ]
        )
        #expect(evaluate(&board, "2026-11-22T03:00", [.left, .right]).isEmpty)
        #expect(
            evaluate(&board, "2026-11-22T07:00", [.left, .right]) == [.end(night, on: .left), .end(night, on: .right)]
        )
        #expect(evaluate(&board, "2026-11-22T07:01").isEmpty)
    }

    @Test func `a start in the middle of an interval begins it`() {
        var board = ScheduleBoard(planner, [ScheduleRecord(night)])
        #expect(evaluate(&board, "2026-11-22T03:00") == [.begin(night, on: .left)])
    }

    @Test func `a display that comes later is changed, and one that comes back is changed again`() {
        var board = ScheduleBoard(planner, [ScheduleRecord(night)])
        _ = evaluate(&board, "2026-11-22T03:00")
        #expect(evaluate(&board, "2026-11-22T03:01", [.left, .right]) == [.begin(night, on: .right)])
        #expect(evaluate(&board, "2026-11-22T03:02", [.right]).isEmpty)
        #expect(evaluate(&board, "2026-11-22T03:03", [.left, .right]) == [.begin(night, on: .left)])
    }

    @Test func `a lease ends in time on a display that is unplugged`() {
        var board = ScheduleBoard(planner, [ScheduleRecord(night)])
        _ = evaluate(&board, "2026-11-22T03:00", [.left, .right])
        _ = evaluate(&board, "2026-11-22T03:01", [.right])
        #expect(evaluate(&board, "2026-11-22T07:00", [.right]) == [.end(night, on: .left), .end(night, on: .right)])
        #expect(evaluate(&board, "2026-11-22T07:01", [.left, .right]).isEmpty)
    }

    @Test func `an edited schedule ends its lease on a display that is unplugged`() {
        var board = ScheduleBoard(planner, [ScheduleRecord(night)])
        _ = evaluate(&board, "2026-11-22T03:00")
        let brighter = Schedule.of("22:00", "07:00", .lease(.dim, .at(0.4)))
        #expect(board.put(brighter).isEmpty)
        #expect(evaluate(&board, "2026-11-22T03:01", []).isEmpty)
        #expect(board.remove(night.name) == [.end(brighter, on: .left)])
    }

    @Test func `nothing is in force before the clock is set`() {
        var board = ScheduleBoard(planner, [ScheduleRecord(night)])
        #expect(evaluate(&board, "1970-01-01T03:00", isSet: false).isEmpty)
        #expect(board.report.schedules.map(\.isActive) == [false])
        #expect(board.report.schedules.map(\.next) == [nil])
        #expect(!board.report.isClockSet)
        #expect(evaluate(&board, "2026-11-22T03:00") == [.begin(night, on: .left)])
        #expect(board.report.isClockSet)
    }

    @Test func `the report follows the local day`() {
        let planner = SchedulePlanner(FakeZone.berlin, location: Location(latitude: 52.52, longitude: 13.405))
        var board = ScheduleBoard(planner, [ScheduleRecord(night)])
        _ = evaluate(&board, "2026-10-25T00:59")
        let before = board.report.day
        _ = evaluate(&board, "2026-10-25T01:00")
        #expect([before.utcOffset, board.report.day.utcOffset] == [7_200, 3_600])
        #expect(board.report.day.sun == before.sun)
        _ = evaluate(&board, "2026-10-25T23:00")
        #expect(board.report.day.sun != before.sun)
    }

    @Test func `the baseline is set once at the beginning`() {
        let evening = Schedule.of("18:00", "23:00", .baseline(.at(0.3)))
        var board = ScheduleBoard(planner, [ScheduleRecord(evening)])
        let now = Timestamp(milliseconds: at("2026-11-21T19:00") * 1_000)
        let begun = board.evaluate(at: now, isClockSet: true, displays: [.left])
        #expect(begun.actions == [.begin(evening, on: .left)])
        #expect(begun.records.map(\.setAt) == [Timestamp(milliseconds: at("2026-11-21T18:00") * 1_000)])
        #expect(evaluate(&board, "2026-11-21T22:59").isEmpty)
        #expect(evaluate(&board, "2026-11-21T23:00").isEmpty)
        #expect(evaluate(&board, "2026-11-22T18:00") == [.begin(evening, on: .left)])

        // A restart in the middle of the interval does not set it again.
        var restarted = ScheduleBoard(planner, begun.records)
        #expect(evaluate(&restarted, "2026-11-21T20:00").isEmpty)
        #expect(evaluate(&restarted, "2026-11-21T20:01", [.left, .right]).isEmpty)
        #expect(evaluate(&restarted, "2026-11-22T20:00") == [.begin(evening, on: .left)])
    }

    @Test func `a missed beginning is made up for only within the interval`() {
        let evening = Schedule.of("18:00", "23:00", .baseline(.at(0.3)))
        var board = ScheduleBoard(planner, [ScheduleRecord(evening)])
        #expect(evaluate(&board, "2026-11-21T23:30").isEmpty)
    }

    @Test func `an edited schedule goes on with its new brightness and ends what it no longer includes`() {
        var board = ScheduleBoard(planner, [ScheduleRecord(night)])
        _ = evaluate(&board, "2026-11-22T03:00", [.left, .right])
        let darker = Schedule.of("22:00", "07:00", displays: .named([.left]), .lease(.dim, .at(0.1)))
        #expect(board.put(darker) == [.end(night, on: .right)])
        #expect(evaluate(&board, "2026-11-22T03:00", [.left, .right]) == [.begin(darker, on: .left)])
        let asleep = Schedule.of("22:00", "07:00", .lease(.sleep, nil))
        #expect(board.put(asleep) == [.end(darker, on: .left)])
        #expect(evaluate(&board, "2026-11-22T03:00") == [.begin(asleep, on: .left)])
        let later = Schedule.of("23:00", "02:00", .lease(.sleep, nil))
        #expect(board.put(later).isEmpty)
        #expect(evaluate(&board, "2026-11-22T03:00") == [.end(later, on: .left)])
    }

    @Test func `the same schedule again changes nothing`() {
        var board = ScheduleBoard(planner, [ScheduleRecord(night)])
        _ = evaluate(&board, "2026-11-22T03:00")
        #expect(board.put(night).isEmpty)
        #expect(evaluate(&board, "2026-11-22T03:00").isEmpty)
    }

    @Test func `a removed schedule ends its leases`() {
        var board = ScheduleBoard(planner, [ScheduleRecord(night)])
        _ = evaluate(&board, "2026-11-22T03:00")
        #expect(board.remove(night.name) == [.end(night, on: .left)])
        #expect(board.remove(night.name) == nil)
    }

    @Test func `a change that failed is made again`() {
        var board = ScheduleBoard(planner, [ScheduleRecord(night)])
        _ = evaluate(&board, "2026-11-22T03:00")
        board.forget(night.name, on: .left)
        #expect(evaluate(&board, "2026-11-22T03:01") == [.begin(night, on: .left)])
    }

    /// Any rules, any history of the clock: forwards, backwards, unset. The leases that follow from the actions are
    /// those of the rules at each instant.
    @Test(arguments: UInt64(1)...100)
    func `what is in force equals the rules at that instant`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let planner = random.planner()
        var schedules = (0..<random.number(1...5)).map { random.schedule("rule-\($0)") }
        var board = ScheduleBoard(planner, schedules.map { ScheduleRecord($0) })
        var held: Set<String> = []
        func carryOut(_ actions: [ScheduleBoard.Action]) {
            for action in actions {
                switch action {
                case .begin(let schedule, let display) where schedule.leaseKind != nil:
                    held.insert("\(schedule.name.text) \(schedule.leaseKind!) \(display)")
                case .begin: break
                case .end(let schedule, let display):
                    // Never ends what it does not hold.
                    #expect(held.remove("\(schedule.name.text) \(schedule.leaseKind!) \(display)") != nil)
                }
            }
        }
        var second = at("2026-01-01T00:00") + Int64(random.number(0...31_000_000))
        for _ in 0..<60 {
            switch random.number(0...9) {
            case 0: second = at("2026-01-01T00:00") + Int64(random.number(0...31_000_000))
            case 1: second -= Int64(random.number(0...100_000))
            case 2:
                let place = random.number(0...schedules.count - 1)
                schedules[place] = random.schedule("rule-\(place)")
                carryOut(board.put(schedules[place]))
            default: second += Int64(random.number(0...40_000))
            }
            let isSet = random.number(0...9) > 0
            let displays: [DisplayID] = random.number(0...4) > 0 ? [.left, .right] : [.left]
            let now = Timestamp(milliseconds: second * 1_000 + Int64(random.number(0...999)))
            carryOut(board.evaluate(at: now, isClockSet: isSet, displays: displays).actions)
            var inForce: Set<String> = []
            for schedule in schedules where isSet && planner.interval(of: schedule, at: second) != nil {
                guard let kind = schedule.leaseKind else { continue }
                for display in [DisplayID.left, .right] { inForce.insert("\(schedule.name.text) \(kind) \(display)") }
            }
            let isPresent = { (lease: String) in displays.contains { lease.hasSuffix(" \($0)") } }
            #expect(held.filter(isPresent) == inForce.filter(isPresent), "at \(second)")
            // An unplugged display keeps its leases, and loses them in time.
            #expect(held.isSubset(of: inForce), "at \(second)")
            #expect(board.nextBoundary.map { $0.milliseconds > second * 1_000 } ?? true)
        }
    }
}
