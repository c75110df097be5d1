// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

struct HolderTableTests {
    private static let now = Moment.start.instant
    private var table = HolderTable()

    /// Evaluates this many seconds after the start.
    private mutating func update(
        _ wishes: Wish...,
        on displays: [Situation.Display] = [.init(id: .left)],
        after seconds: Int = 0
    ) -> [HolderTable.Action] {
        table.update(wishes, on: displays, at: Self.now + .seconds(seconds))
    }

    @Test mutating func `a wish is granted once in its episode, and ended when nobody has it`() {
        let dim = Wish.of(.lease(.dim, .at(0.2)))
        #expect(update(dim) == [.grant(dim, isNewEpisode: nil)])
        #expect(update(dim).isEmpty)
        #expect(update() == [.end(dim)])
        #expect(update().isEmpty)
    }

    @Test mutating func `a lease goes on into the next episode, and with another brightness`() {
        _ = update(.of(.lease(.dim, .at(0.2))))
        let brighter = Wish.of(.lease(.dim, .at(0.4)))
        #expect(update(brighter) == [.grant(brighter, isNewEpisode: false)])
        let next = Wish.of(.lease(.dim, .at(0.4)), episode: 2)
        #expect(update(next) == [.grant(next, isNewEpisode: true)])
        #expect(update(next).isEmpty)
    }

    @Test mutating func `of several baselines only the one with the latest episode is set, whatever the names`() {
        let day = Wish.of(.baseline(.at(0.8)), by: "z", episode: 8)
        let afternoon = Wish.of(.baseline(.at(0.4)), by: "a", episode: 15)
        #expect(update(day, afternoon) == [.set(afternoon)])
        #expect(update(day, afternoon).isEmpty)
    }

    @Test(arguments: [["a 2", "a 1", "a 10"], ["a 10", "a 2", "a 1"], ["a 1", "a 10", "a 2"]])
    mutating func `of baselines with one episode the last in the order of the names is set`(names: [String]) {
        let wishes = names.map { Wish.of(.baseline(.at($0 == "a 10" ? 0.3 : 0.6)), by: $0) }
        let last = Wish.of(.baseline(.at(0.3)), by: "a 10")
        #expect(table.update(wishes, on: [.init(id: .left)], at: Self.now) == [.set(last)])
    }

    @Test mutating func `a baseline waits while a later one is refused, and is set once that is over`() {
        let day = Wish.of(.baseline(.at(0.8)), by: "day")
        let noon = Wish.of(.baseline(.at(0.4)), by: "noon", episode: 2)
        #expect(update(day, noon) == [.set(noon)])
        table.refused(noon, until: Self.now + .seconds(30))
        #expect(update(day, noon).isEmpty)
        #expect(table.nextRetry == Self.now + .seconds(30))
        #expect(update(day) == [.set(day)])
        #expect(update(day).isEmpty)
    }

    @Test mutating func `a baseline that an earlier run has set comes after the older ones`() {
        let day = Wish.of(.baseline(.at(0.8)), by: "day", episode: 8)
        #expect(update(day, .of(.baseline(nil), by: "noon", episode: 12)).isEmpty)
    }

    @Test mutating func `a display that comes later is changed, and one that was unplugged is not changed again`() {
        let (left, right) = (Wish.of(.baseline(.at(0.6))), Wish.of(.baseline(.at(0.6)), on: .right))
        let away = Situation.Display(id: .right, isPresent: false)
        #expect(update(left, right, on: [.init(id: .left), away]) == [.set(left)])
        #expect(update(left, right, on: [.init(id: .left), .init(id: .right)]) == [.set(right)])
        #expect(update(left, right, on: [.init(id: .left, isPresent: false), away]).isEmpty)
        #expect(update(left, right, on: [.init(id: .left), .init(id: .right)]).isEmpty)
        // It was removed, and is new.
        #expect(update(right, on: [.init(id: .right)]).isEmpty)
        #expect(update(left, right, on: [.init(id: .left), .init(id: .right)]) == [.set(left)])
    }

    @Test mutating func `a lease ends in time on a display that is unplugged`() {
        let dim = Wish.of(.lease(.dim, .at(0.2)))
        _ = update(dim)
        #expect(update(on: [.init(id: .left, isPresent: false)]) == [.end(dim)])
    }

    @Test mutating func `a lease with an end of its own is not ended once that is reached`() {
        let wake = Wish.of(.lease(.wake, until: Self.now + .seconds(60)))
        #expect(update(wake) == [.grant(wake, isNewEpisode: nil)])
        #expect(update(after: 60).isEmpty)
        _ = update(wake)
        #expect(update(after: 59) == [.end(wake)])
    }

    @Test mutating func `a later end only renews a lease that was granted in the episode and is not over`() {
        func wake(until seconds: Int, episode: Int64 = 1) -> Wish {
            .of(.lease(.wake, until: Self.now + .seconds(seconds)), episode: episode)
        }
        #expect(update(wake(until: 60)) == [.grant(wake(until: 60), isNewEpisode: nil)])
        // The display may refuse the first one.
        #expect(update(wake(until: 70), after: 10) == [.regrant(wake(until: 70))])
        table.accepted(wake(until: 70))
        #expect(update(wake(until: 90), after: 30) == [.renew(wake(until: 90))])
        table.refused(wake(until: 90), until: Self.now + .seconds(60))
        #expect(update(wake(until: 90), after: 60) == [.renew(wake(until: 90))])
        // The lease is over, since no later end was accepted, as on a display that was unplugged.
        #expect(update(wake(until: 130), after: 90) == [.regrant(wake(until: 130))])
        table.accepted(wake(until: 130))
        let next = wake(until: 140, episode: 2)
        #expect(update(next, after: 100) == [.grant(next, isNewEpisode: true)])
    }

    @Test mutating func `a suspended lease ends, and is granted again if it had an effect until then`() {
        let dim = Wish.of(.lease(.dim, .at(0.2)))
        _ = update(dim)
        table.accepted(dim)
        #expect(update(dim.suspended) == [.end(dim)])
        #expect(update(dim.suspended).isEmpty)
        // The answer may be late.
        #expect(update(dim).isEmpty)
        #expect(table.ended(dim, hadEffect: true) == true)
        #expect(update(dim.suspended).isEmpty)
        #expect(update(dim) == [.grant(dim, isNewEpisode: nil)])
    }

    @Test mutating func `a suspended lease that a person had ended or overridden waits for the next episode`() {
        let (dim, next) = (Wish.of(.lease(.dim, .at(0.2))), Wish.of(.lease(.dim, .at(0.2)), episode: 2))
        _ = update(dim)
        table.accepted(dim)
        for _ in 1...2 {
            _ = update(dim.suspended)
            #expect(table.ended(dim, hadEffect: false) == false)
            #expect(update(dim).isEmpty)
        }
        #expect(table.holds(.dim, on: .left, for: "test") == false)
        #expect(update(next.suspended).isEmpty)
        #expect(update(next) == [.grant(next, isNewEpisode: nil)])
        #expect(update() == [.end(next)])
    }

    @Test mutating func `a wish whose lease the display never had is granted once it is not suspended`() {
        let dim = Wish.of(.lease(.dim, .at(0.2)))
        #expect(update(dim.suspended).isEmpty)
        #expect(update(dim) == [.grant(dim, isNewEpisode: nil)])
        table.refused(dim, until: Self.now + .seconds(30))
        #expect(update(dim.suspended) == [.end(dim)])
        #expect(table.ended(dim, hadEffect: false) == true)
        #expect(update(dim) == [.grant(dim, isNewEpisode: nil)])
    }

    @Test mutating func `a refused wish is carried out again in time, if it is still wanted`() {
        let dim = Wish.of(.lease(.dim, .at(0.2)))
        _ = update(dim)
        table.refused(dim, until: Self.now + .seconds(30))
        #expect(table.nextRetry == Self.now + .seconds(30))
        #expect(update(dim, after: 29).isEmpty)
        #expect(update(dim, after: 30) == [.regrant(dim)])
        #expect(update(dim, after: 90).isEmpty)
        table.refused(dim, until: Self.now + .seconds(120))
        _ = update(after: 100)
        #expect(update(after: 120).isEmpty)
    }

    @Test mutating func `a wish that was refused before it was changed is not carried out once more`() {
        let dim = Wish.of(.lease(.dim, .at(0.2)))
        _ = update(dim)
        let darker = Wish.of(.lease(.dim, .at(0.1)))
        _ = update(darker)
        table.refused(dim, until: Self.now + .seconds(30))
        #expect(update(darker, after: 30).isEmpty)
    }

    @Test mutating func `a refused baseline is set once a later one that was refused, too, is over`() {
        let day = Wish.of(.baseline(.at(0.8)), by: "day")
        let noon = Wish.of(.baseline(.at(0.4)), by: "noon", episode: 2)
        _ = update(day)
        table.refused(day, until: Self.now + .seconds(30))
        #expect(update(day, noon) == [.set(noon)])
        table.refused(noon, until: Self.now + .seconds(40))
        #expect(update(day, after: 30) == [.set(day)])
    }

    @Test mutating func `a person's choice since a refusal is newer, but not newer than an edit`() {
        let day = Wish.of(.baseline(.at(0.8)))
        #expect(update(day, after: 5) == [.set(day, since: 5)])
        table.refused(day, until: Self.now + .seconds(35))
        #expect(update(day, after: 35) == [.set(day, since: 5)])
        table.redo("test")
        #expect(update(day, after: 40) == [.set(day, since: 40)])
        let next = Wish.of(.baseline(.at(0.8)), episode: 2)
        #expect(update(next, after: 50) == [.set(next, since: 50)])
    }

    @Test mutating func `a refused baseline is not set over a later one`() {
        let day = Wish.of(.baseline(.at(0.8)), by: "day", episode: 8)
        let noon = Wish.of(.baseline(.at(0.4)), episode: 12)
        _ = update(day)
        table.refused(day, until: Self.now + .seconds(30))
        #expect(update(day, noon, after: 10) == [.set(noon, since: 10)])
        #expect(update(day, noon, after: 30).isEmpty)
    }

    @Test mutating func `nothing is compared again before something happened`() {
        let dim = Wish.of(.lease(.dim, .at(0.2)))
        #expect(table.isOutdated(at: Self.now))
        _ = update(dim)
        #expect(!table.isOutdated(at: Self.now + .seconds(3_600)))
        table.accepted(dim)
        #expect(!table.isOutdated(at: Self.now))
        table.refused(dim, until: Self.now + .seconds(30))
        #expect(!table.isOutdated(at: Self.now + .seconds(29)))
        #expect(table.isOutdated(at: Self.now + .seconds(30)))
        _ = update(dim, after: 30)
        #expect(!table.isOutdated(at: Self.now + .seconds(30)))
        table.refused(dim, until: nil)
        #expect(table.isOutdated(at: Self.now + .seconds(30)))
        _ = update(dim, after: 30)
        table.redo(dim.holder)
        #expect(table.isOutdated(at: Self.now + .seconds(30)))
    }

    @Test mutating func `a retry on an unplugged display waits for the display`() {
        let dim = Wish.of(.lease(.dim, .at(0.2)))
        _ = update(dim)
        table.refused(dim, until: Self.now + .seconds(30))
        #expect(update(dim, on: [.init(id: .left, isPresent: false)], after: 30).isEmpty)
        #expect(table.nextRetry == nil)
        #expect(update(dim, after: 40) == [.regrant(dim)])
    }

    @Test mutating func `a wish that an unavailable display has refused waits for it, and for no time`() {
        let dim = Wish.of(.lease(.dim, .at(0.2)))
        let unavailable = [Situation.Display(id: .left, isAvailable: false)]
        #expect(update(dim, on: unavailable) == [.grant(dim, isNewEpisode: nil)])
        #expect(table.refused(dim, until: nil) == true)
        #expect(update(dim, on: unavailable, after: 3_600).isEmpty)
        #expect(table.nextRetry == nil)
        #expect(update(dim, after: 3_601) == [.regrant(dim)])
        #expect(table.refused(dim, until: nil) == false)
        #expect(update(dim, after: 3_602) == [.regrant(dim)])
        #expect(update(dim, after: 3_603).isEmpty)
    }

    @Test mutating func `a holder whose rules a person has changed is carried out again`() {
        let (dim, other) = (Wish.of(.lease(.dim, .at(0.2))), Wish.of(.lease(.dim, .at(0.3)), by: "other"))
        _ = update(dim, other)
        table.redo("test")
        #expect(update(dim, other) == [.grant(dim, isNewEpisode: false)])
    }

    /// Any holders that hand over to each other: after no single command a display is darker or brighter than both
    /// before and after all of them, or switched in between.
    @Test(arguments: UInt64(1)...300)
    mutating func `a handover shows nothing in between`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var shown = ShownDisplay()
        var wishes: [Wish] = []
        for episode in 1...20 {
            wishes = wishes.filter { _ in random.number(0...2) > 0 }
            for number in 1...4 where random.number(0...2) == 0 {
                let name = "\(episode).\(number)"
                let brightness = Brightness.at(Double(random.number(0...10)) / 10)
                let effects: [Wish.Effect] = [
                    .lease(.dim, brightness), .lease(.boost, brightness), .lease(.sleep), .lease(.wake),
                    .baseline(brightness),
                ]
                wishes.append(.of(effects[random.number(0...4)], by: name, episode: Int64(episode)))
            }
            wishes.shuffle(using: &random)
            var levels = [shown.level]
            var powers = [shown.isOn]
            for action in table.update(wishes, on: [.init(id: .left)], at: Self.now) {
                shown.execute(action)
                levels.append(shown.level)
                powers.append(shown.isOn)
            }
            let range = min(levels[0], shown.level)...max(levels[0], shown.level)
            #expect(levels.allSatisfy(range.contains), "episode \(episode): \(levels)")
            if powers[0] == shown.isOn { #expect(Set(powers).count == 1, "episode \(episode)") }
        }
    }
}

extension HolderTable.Action {
    /// - Parameter seconds: After the start.
    fileprivate static func set(_ wish: Wish, since seconds: Int = 0) -> Self {
        .set(wish, since: Moment.start.instant + .seconds(seconds))
    }

    fileprivate static func regrant(_ wish: Wish) -> Self { .regrant(wish, since: Moment.start.instant) }
}

extension Wish {
    static func of(
        _ effect: Effect,
        by holder: String = "test",
        on display: DisplayID = .left,
        episode: Int64 = 1
    ) -> Wish {
        Wish(
            holder: holder,
            display: display,
            effect: effect,
            episode: Timestamp(milliseconds: episode),
            channel: .schedule
        )
    }

    fileprivate var suspended: Wish {
        var wish = self
        wish.isSuspended = true
        return wish
    }
}

/// The state that a display has by the published rules of leases. Shares no code with the core.
struct ShownDisplay {
    var baseline = 0.5
    private(set) var leases: [String: Wish.Effect] = [:]

    mutating func execute(_ action: HolderTable.Action) {
        switch action {
        case .grant(let wish, _), .regrant(let wish, _), .renew(let wish):
            leases["\(wish.holder) \(wish.kind!)"] = wish.effect
        case .end(let wish): leases["\(wish.holder) \(wish.kind!)"] = nil
        case .set(let wish, _): if case .baseline(let brightness?) = wish.effect { baseline = brightness.fraction }
        }
    }

    mutating func forgetLeases() { leases = [:] }

    /// The brightness, also while the display is off.
    var level: Double {
        var (boost, dim) = (0.0, 1.0)
        for effect in leases.values {
            switch effect {
            case .lease(.boost, let brightness, _): boost = max(boost, brightness!.fraction)
            case .lease(.dim, let brightness, _): dim = min(dim, brightness!.fraction)
            case .lease, .baseline: break
            }
        }
        return min(max(baseline, boost), dim)
    }

    var isOn: Bool { holds(.wake) || !holds(.sleep) }

    private func holds(_ kind: LeaseKind) -> Bool {
        leases.values.contains { if case .lease(kind, _, _) = $0 { true } else { false } }
    }
}
