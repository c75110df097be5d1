// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport

@testable import BrightnessCore

/// A random story of one seed: two displays follow a third, while people, other programs, leases, unplugged panels and
/// restarts change all of them. The displays, the holder and its service are real.
final class FollowerStory {
    /// Fractions of this are exact.
    private static let steps = 64
    private static let leader = DisplayID("leader")!
    private static let ids = [leader, DisplayID("left")!, DisplayID("right")!]

    private final class Records: RecordJournal {
        let all = Mutex<[RecordKey: [UInt8]?]>([:])

        func store(_ document: [UInt8]?, _ key: RecordKey, completion: @escaping @Sendable () -> Void) {
            all.withLock { $0[key] = document }
            completion()
        }

        var followers: [FollowerRecord] {
            all.withLock {
                $0.compactMap { key, document in document.flatMap { FollowerRecord(kept: $0, under: key.name) } }
            }
        }
    }

    /// The baseline that a follower has to have, by the rules only.
    private struct Expected {
        var value: Int
        /// The value that somebody has set, and where the leader was then.
        var choice: (value: Int, leader: Int)?
        var isPlugged = true

        mutating func leaderMoved(to leader: Int) {
            if let choice, abs(leader - choice.leader) <= abs(choice.value - choice.leader) { return }
            (value, choice) = (leader, nil)
        }

        mutating func set(_ new: Int, leader: Int) { (value, choice) = (new, (new, leader)) }
    }

    private var random: SplitMix
    private let clock = ManualClock()
    private let journal = MemoryJournal()
    private let records = Records()
    private let panels: [DisplayID: ScriptedPanel]
    private var hub = NotificationHub()
    private var displays: DisplayService
    private var service: HolderService
    private var leader: Int
    private var followers: [DisplayID: Expected] = [:]
    /// Displays with leases.
    private var leased: Set<DisplayID> = []
    private var isLeaderMoved = false
    private(set) var lines: [String] = []

    init(seed: UInt64) throws {
        var random = SplitMix(seed: seed, step: -17)
        let values = Self.ids.map { _ in random.number(1...Self.steps) }
        panels = Dictionary(
            uniqueKeysWithValues: zip(Self.ids, values).map { id, step in
                (id, ScriptedPanel(id, range: BrightnessRange(maximum: Self.steps)!, step: step))
            }
        )
        (leader, self.random) = (values[0], random)
        (displays, service) = try Self.daemon(hub, panels, journal, records, clock)
        for id in Self.ids.dropFirst() { followers[id] = Expected(value: leader) }
        settle()
    }

    private static func daemon(
        _ hub: NotificationHub,
        _ panels: [DisplayID: ScriptedPanel],
        _ journal: MemoryJournal,
        _ records: Records,
        _ clock: ManualClock
    ) throws -> (DisplayService, HolderService) {
        let displays = try DisplayService(
            ids.map { .init(panels[$0]!, on: ImmediateQueue(), comesAndGoes: true) },
            .init(journal: journal, earlier: journal.recovered),
            poster: hub.poster,
            source: hub.source,
            at: clock.moment
        )
        let leaders = Dictionary(uniqueKeysWithValues: ids.dropFirst().map { ($0, leader) })
        let service = HolderService(
            displays,
            [Followers(leaders, records.followers)],
            journal: records,
            on: ImmediateQueue(),
            source: hub.source,
            poster: hub.poster,
            clock: .init(now: { clock.moment }, isSet: { _ in true })
        )
        return (displays, service)
    }

    /// - Returns: The first violated rule.
    func play() throws -> String? {
        for _ in 0..<random.number(5...40) {
            clock.advance(by: .milliseconds(random.one(of: [1, 40, 1_000, 60_000])))
            try step()
            // An evaluation that sees several changes of the leader knows only the last one.
            if random.chance(70) || isLeaderMoved && random.chance(50) { settle() }
            if let violation { return violation }
        }
        settle()
        return violation
    }

    private func settle() {
        // The second one is that of the followers' changes.
        service.evaluate()
        service.evaluate()
        isLeaderMoved = false
    }

    private func step() throws {
        let value = random.number(1...Self.steps)
        let id = random.one(of: Array(Self.ids.dropFirst()))
        switch random.number(0...9) {
        case 0...2:
            moveLeader {
                self.submit(.set(.fraction(Self.fraction(value))), to: [Self.leader], "leader \(value)"); return value
            }
        case 3, 4:
            submit(.set(.fraction(Self.fraction(value))), to: [id], "\(id) \(value)")
            if followers[id]!.isPlugged { followers[id]!.set(value, leader: leader) }
        case 5: setAll()
        case 6: externalChange(of: random.chance(50) ? Self.leader : id, to: value)
        case 7: lease(on: random.one(of: Self.ids))
        case 8: plug(id)
        default: try restart()
        }
    }

    private static func fraction(_ value: Int) -> Brightness { Brightness(clamping: Double(value) / Double(steps)) }

    private func submit(_ action: Command.Action, to ids: [DisplayID], _ line: String) {
        lines.append("\(clock.now.sinceBoot) \(line)")
        let command = Command(action, requester: Requester(.anonymous, isAdmin: true))
        displays.submit(command, to: ids, at: clock.moment) { _, _ in }
    }

    private func moveLeader(_ change: () -> Int) {
        if isLeaderMoved { settle() }
        leader = change()
        isLeaderMoved = true
        for id in followers.keys { followers[id]!.leaderMoved(to: leader) }
    }

    /// A preset with a value for each display, or for some.
    private func setAll() {
        if isLeaderMoved { settle() }
        var values: [DisplayID: Int] = [:]
        for id in Self.ids where random.chance(70) { values[id] = random.number(1...Self.steps) }
        let preset = values.compactMapValues { PresetValue(brightness: Self.fraction($0), isOn: nil) }
        submit(.apply(PresetRequest(.values(preset))), to: Self.ids.shuffled(using: &random), "preset \(values)")
        if let value = values[Self.leader] { (leader, isLeaderMoved) = (value, true) }
        for id in followers.keys {
            if let value = values[id], followers[id]!.isPlugged {
                followers[id]!.set(value, leader: leader)
            } else {
                followers[id]!.leaderMoved(to: leader)
            }
        }
    }

    /// By another program; not during a lease, whose end it would be.
    private func externalChange(of id: DisplayID, to value: Int) {
        let panel = panels[id]!
        guard !leased.contains(id), followers[id]?.isPlugged ?? true, panel.step != value else { return }
        lines.append("\(clock.now.sinceBoot) another program sets \(id) to \(value)")
        func change() -> Int {
            panel.step = value
            displays.submit(Command(.refresh()), to: id, at: clock.moment) { _ in }
            return value
        }
        if id == Self.leader { moveLeader(change) } else { followers[id]!.set(change(), leader: leader) }
    }

    private func lease(on id: DisplayID) {
        guard followers[id]?.isPlugged ?? true else { return }
        if leased.remove(id) != nil {
            submit(.restoreAll(), to: [id], "restore \(id)")
        } else {
            leased.insert(id)
            submit(
                .grant(LeaseRequest(random.one(of: [.boost, .dim]), lifespan: .lifetime, holder: "h")),
                to: [id],
                "lease \(id)"
            )
        }
    }

    private func plug(_ id: DisplayID) {
        followers[id]!.isPlugged.toggle()
        let isPlugged = followers[id]!.isPlugged
        lines.append("\(clock.now.sinceBoot) \(id) is \(isPlugged ? "plugged" : "unplugged")")
        if isPlugged {
            panels[id]!.heal()
        } else {
            panels[id]!.failReads(.absent(path: "/test"), times: .max)
            panels[id]!.failWrites(.absent(path: "/test"), times: .max)
        }
        displays.submit(Command(.refresh()), to: id, at: clock.moment) { _ in }
        settle()
    }

    /// A kill -9 of a daemon that has nothing to do, and a start with all panels.
    private func restart() throws {
        settle()
        lines.append("\(clock.now.sinceBoot) restart")
        for id in followers.keys where !followers[id]!.isPlugged {
            panels[id]!.heal()
            followers[id]!.isPlugged = true
        }
        hub = NotificationHub()
        (displays, service) = try Self.daemon(hub, panels, journal, records, clock)
        for (id, follower) in followers { followers[id]!.choice = (follower.value, leader) }
        settle()
    }

    private var violation: String? {
        guard !isLeaderMoved else { return nil }
        for (id, follower) in followers where follower.isPlugged {
            let baseline = displays.state(of: id)!.baseline
            if baseline != Self.fraction(follower.value) {
                return "\(id) is at \(baseline.fraction * Double(Self.steps)) instead of \(follower.value)"
            }
            if let by = displays.state(of: id)!.cause.by, displays.state(of: id)!.cause.kind == .follow, by != "leader"
            {
                return "\(id) follows \(by)"
            }
        }
        return nil
    }
}
