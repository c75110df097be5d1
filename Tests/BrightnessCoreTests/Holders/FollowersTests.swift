// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore

/// The display `right` follows `left`.
struct FollowersTests {
    /// The baselines that are set in one second, in percent.
    enum Step {
        case leader(Int)
        case follower(Int)
        case both(leader: Int, follower: Int)
    }

    /// Both displays, which carry out each wish at once.
    private struct Pair {
        var followers = Followers([.right: .left])
        var leader = Situation.Display(id: .left, baseline: .at(0.5))
        var follower = Situation.Display(id: .right, baseline: .at(0.5))
        var records: [FollowerRecord] = []
        var second = 0

        init(follower percent: Int = 50, _ record: FollowerRecord? = nil) {
            followers = Followers([.right: .left], [record].compactMap(\.self))
            follower.baseline = .at(Double(percent) / 100)
            evaluate()
        }

        mutating func set(_ step: Step) {
            second += 1
            let now = Moment.after(.seconds(second))
            switch step {
            case .leader(let percent): set(leader: percent, at: now)
            case .follower(let percent): set(follower: percent, at: now)
            case .both(let leader, let follower):
                set(leader: leader, at: now)
                set(follower: follower, at: now)
            }
        }

        private mutating func set(leader percent: Int, at now: Moment) {
            let old = leader.baseline
            leader.baseline = .at(Double(percent) / 100)
            if leader.baseline != old { leader.changedAt = now }
        }

        private mutating func set(follower percent: Int, at now: Moment) {
            (follower.baseline, follower.setAt) = (.at(Double(percent) / 100), now.instant)
        }

        @discardableResult
        mutating func evaluate() -> Wanted {
            let now = Moment.after(.milliseconds(second * 1_000 + 1))
            let wanted = followers.evaluate(Situation(now: now, isClockSet: true, displays: [leader, follower]))
            records += wanted.records.compactMap { $0 as? FollowerRecord }
            for wish in wanted.wishes {
                let isChosen = follower.setAt.map { $0 > wish.since! } ?? false
                if case .baseline(let brightness?) = wish.effect, follower.isAvailable, !isChosen {
                    follower.baseline = brightness
                }
            }
            return wanted
        }

        var percent: Int { Int((follower.baseline.fraction * 100).rounded()) }
    }

    /// Both begin at 50 %.
    @Test(
        arguments: [
            ([], 50),
            ([.leader(55)], 55),
            ([.leader(55), .leader(20)], 20),
            ([.follower(60)], 60),
            // It stays as long as the leader is not further from where it was than the follower.
            ([.follower(60), .leader(55)], 60),
            ([.follower(60), .leader(60)], 60),
            ([.follower(60), .leader(61)], 61),
            ([.follower(60), .leader(55), .leader(61)], 61),
            ([.follower(60), .leader(40)], 60),
            ([.follower(60), .leader(39)], 39),
            ([.follower(40), .leader(60)], 40),
            ([.follower(40), .leader(61)], 61),
            // Then it is over.
            ([.follower(60), .leader(61), .leader(50)], 50),
            ([.follower(60), .leader(39), .leader(45)], 45),
            // The newest choice counts.
            ([.follower(60), .leader(55), .follower(80), .leader(75)], 80),
            ([.follower(60), .leader(55), .follower(56), .leader(57)], 57),
            ([.follower(60), .follower(50), .leader(51)], 51),
            // Values that are set on both stay, in any order.
            ([.both(leader: 70, follower: 30)], 30),
            ([.both(leader: 70, follower: 50)], 50),
            ([.leader(70), .follower(50)], 50),
            ([.follower(70), .leader(70)], 70),
            ([.both(leader: 70, follower: 30), .leader(71)], 30),
            ([.both(leader: 70, follower: 30), .leader(20)], 20),
            ([.both(leader: 50, follower: 50), .leader(51)], 51),
        ] as [([Step], Int)]
    )
    func `a follower has its leader's brightness, or the one that was set on it`(steps: [Step], percent: Int) {
        var pair = Pair()
        for step in steps {
            pair.set(step)
            pair.evaluate()
        }
        #expect(pair.percent == percent)
        // A start later, nothing is different.
        var next = Pair(follower: pair.percent, pair.records.last)
        next.leader.baseline = pair.leader.baseline
        next.followers = Followers([.right: .left], [pair.records.last!])
        next.evaluate()
        #expect(next.percent == percent)
    }

    /// An evaluation sees the last state only.
    @Test(
        arguments: [
            ([.follower(60), .leader(55)], 60), ([.follower(60), .leader(61)], 61), ([.leader(70), .follower(30)], 30),
            ([.follower(70), .leader(70)], 70),
        ] as [([Step], Int)]
    )
    func `several changes may come before an evaluation`(steps: [Step], percent: Int) {
        var pair = Pair()
        for step in steps { pair.set(step) }
        pair.evaluate()
        #expect(pair.percent == percent)
    }

    @Test func `at the first start a follower gets its leader's brightness, at later ones it keeps a choice`() {
        var first = Pair(follower: 80)
        #expect(first.percent == 50)
        first.evaluate()
        #expect(first.records.map(\.isBehind) == [false])
        let later = Pair(follower: 80, first.records.last)
        #expect(later.percent == 80 && later.records.isEmpty)
        let other = FollowerRecord(display: .right, leader: DisplayID("other")!, isBehind: false)
        #expect(Pair(follower: 80, other).percent == 50)
    }

    @Test func `a follower that is not available gets the brightness afterwards, also in a later run`() {
        var pair = Pair()
        pair.follower.isAvailable = false
        pair.set(.leader(70))
        pair.evaluate()
        #expect(pair.percent == 50 && pair.records.last?.isBehind == true)
        #expect(Pair(follower: 30, pair.records.last).percent == 50)
        pair.follower.isAvailable = true
        pair.evaluate()
        pair.evaluate()
        #expect(pair.percent == 70 && pair.records.last?.isBehind == false)
    }

    @Test func `a follower that comes later compares its brightness with what the leader was at the start`() {
        let record = FollowerRecord(display: .right, leader: .left, isBehind: false)
        for (leader, percent) in [(55, 60), (75, 75)] {
            var pair = Pair(follower: 60, record)
            pair.followers = Followers([.right: .left], [record])
            _ = pair.followers.evaluate(Situation(now: .start, isClockSet: true, displays: [pair.leader]))
            pair.set(.leader(leader))
            pair.evaluate()
            #expect(pair.percent == percent)
        }
    }

    @Test func `a slider of the leader writes no record`() {
        var pair = Pair()
        pair.evaluate()
        let count = pair.records.count
        for percent in 0...100 {
            pair.set(.leader(percent))
            pair.evaluate()
            pair.evaluate()
        }
        #expect(pair.percent == 100 && pair.records.count == count)
    }

    @Test func `displays that are not there, or cannot be dimmed, are left alone`() {
        for displays in [[], [.init(id: .left)], [.init(id: .right)]] as [[Situation.Display]] {
            var followers = Followers([.right: .left])
            let wanted = followers.evaluate(Situation(now: .start, isClockSet: true, displays: displays))
            #expect(wanted.records.isEmpty && wanted.wishes.allSatisfy { $0.display == .right })
        }
    }

    // MARK: On displays

    private let fixture: HolderFixture
    private let panel = ScriptedPanel(.right, range: BrightnessRange(maximum: 100)!, step: 80)

    init() throws {
        fixture = try HolderFixture()
        try fixture.displays.add(.init(panel, on: ImmediateQueue(), comesAndGoes: true), at: fixture.moment)
    }

    private var state: DisplayState { fixture.displays.state(of: .right)! }

    /// A client's command a second later, and what follows.
    private func client(_ action: Command.Action, on ids: DisplayID..., then service: HolderService) {
        fixture.clock.advance(by: .seconds(1))
        let command = Command(action, by: "kiosk", requester: Requester(.anonymous, isAdmin: true))
        fixture.displays.submit(command, to: ids, at: fixture.moment) { _, _ in }
        service.evaluate()
        service.evaluate()
    }

    private func set(_ fraction: Double) -> Command.Action { .set(.fraction(.at(fraction))) }

    private var service: HolderService { fixture.service(fixture.schedules(), Followers([.right: .left])) }

    @Test func `a follower reports whom it follows, and is left to people`() {
        let service = service
        client(set(0.3), on: .left, then: service)
        #expect(panel.step == 30)
        #expect(state.cause.kind == .follow && state.cause.by == "left" && state.cause.principal == nil)
        client(set(0.5), on: .right, then: service)
        #expect(panel.step == 50 && state.cause.kind == .api)
        client(set(0.4), on: .left, then: service)
        #expect(panel.step == 50)
        client(set(0.9), on: .left, then: service)
        #expect(panel.step == 90)
    }

    @Test func `a key, another program and a schedule of the leader count like a client`() {
        fixture.wall.withLock { $0 = "2026-11-21T10:00" }
        let evening = Schedule.of("11:00", "13:00", displays: .named([.left]), name: "evening", .baseline(.at(0.2)))
        let service = fixture.service(fixture.schedules(evening), Followers([.right: .left]))
        fixture.panel.step = 60
        fixture.refresh()
        service.evaluate()
        #expect(panel.step == 60)
        fixture.clock.advance(by: .seconds(1))
        fixture.wall.withLock { $0 = "2026-11-21T12:00" }
        service.evaluate()
        service.evaluate()
        #expect(fixture.panel.step == 20 && panel.step == 20)
    }

    @Test func `leases are each display's own`() {
        let service = service
        client(.grant(LeaseRequest(.boost, at: .fraction(.full))), on: .left, then: service)
        #expect(fixture.panel.step == 100 && panel.step == 80)
        client(.grant(LeaseRequest(.boost, at: .fraction(.full))), on: .right, then: service)
        client(set(0.4), on: .left, then: service)
        #expect(panel.step == 100 && state.baseline == .at(0.4))
    }

    /// Also a value that is the old one, which changes nothing and is published by nobody.
    @Test(arguments: [0.2, 0.8])
    func `a preset sets both`(own: Double) {
        let service = service
        let values = [DisplayID.left: 0.5, .right: own].compactMapValues { PresetValue(brightness: .at($0), isOn: nil) }
        client(.apply(PresetRequest(.values(values))), on: .left, .right, then: service)
        #expect(fixture.panel.step == 50)
        #expect(panel.step == Int(own * 100))
    }

    @Test func `schedules that begin together set both`() {
        fixture.wall.withLock { $0 = "2026-11-21T10:00" }
        let schedules = fixture.schedules(
            .of("11:00", "13:00", displays: .named([.left]), name: "a", .baseline(.at(0.5))),
            .of("11:00", "13:00", displays: .named([.right]), name: "b", .baseline(.at(0.8)))
        )
        let service = fixture.service(schedules, Followers([.right: .left]))
        fixture.clock.advance(by: .seconds(1))
        fixture.wall.withLock { $0 = "2026-11-21T11:00" }
        for _ in 1...3 { service.evaluate() }
        #expect(fixture.panel.step == 50 && panel.step == 80)
    }

    @Test func `a step for all keeps the difference`() {
        let service = service
        client(set(0.6), on: .right, then: service)
        client(.move(delta: -0.1), on: .left, .right, then: service)
        #expect(fixture.panel.step == 70 && panel.step == 50)
    }

    /// Otherwise a follower would make its own step from where its leader's has taken it.
    @Test func `a command for all reaches followers before their leader`() throws {
        let panels = [fixture.panel, panel].map { DisplayService.PanelRegistration($0, on: ImmediateQueue()) }
        var configuration = DisplayService.Configuration.standard
        configuration.leaders = [.right: .left]
        let displays = try DisplayService(panels, configuration, poster: NotificationHub().poster, at: .start)
        let order = Mutex<[DisplayID]>([])
        displays.submit(Command(.move(delta: 0.1)), to: [.left, .right], at: .start) { id, _ in
            order.withLock { $0.append(id) }
        }
        #expect(order.withLock { $0 } == [.right, .left])
        let right = displays.state(of: .right)
        #expect([displays.state(of: .left), right].map { $0?.leader } == [nil, DisplayID.left])
    }

    @Test func `an unplugged follower gets the brightness when it is back, unless somebody sets it first`() {
        let service = service
        panel.failReads(.gone, times: .max)
        panel.failWrites(.gone, times: .max)
        client(.refresh(), on: .right, then: service)
        client(set(0.3), on: .left, then: service)
        #expect(panel.step == 80)
        panel.heal()
        client(.refresh(), on: .right, then: service)
        #expect(panel.step == 30 && state.cause.kind == .follow)
    }
}
