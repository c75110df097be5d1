// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// A display at 30 of 100 that can be switched, and the values of presets.
@Suite(.timeLimit(.minutes(10)))
struct PresetTests {
    private let fixture: DisplayServiceFixture

    init() throws { fixture = try DisplayServiceFixture(showing: 30, isSwitchable: true) }

    private func value(_ brightness: Double?, on isOn: Bool? = nil) throws -> PresetValue {
        try #require(PresetValue(brightness: brightness.map { Brightness(clamping: $0) }, isOn: isOn))
    }

    @discardableResult
    private func apply(
        _ value: PresetValue,
        heldBy holder: String? = nil,
        at now: Moment = .start
    ) throws(CommandError) -> CommandSuccess {
        let hold = holder.map { PresetRequest.Terms(ttl: .seconds(60), holder: $0) }
        return try fixture.perform(.apply(PresetRequest(.value(value), terms: hold)), at: now)
    }

    /// The percentages of the brightness and the baseline, and whether the panel is on.
    private var shown: [Int] {
        let state = fixture.state
        return [state.brightness, state.baseline].map { Int(($0.fraction * 100).rounded()) }
            + [state.power.isOn == true ? 1 : 0]
    }

    @Test func `a value sets the baselines of brightness and power in one change`() throws {
        try apply(value(0.7, on: false))
        #expect(shown == [70, 70, 0])
        #expect(fixture.posted.count { if case .state = $0 { true } else { false } } == 1)
        #expect((fixture.state.cause.kind, fixture.state.cause.reason) == (.api, "test"))
        try apply(value(nil, on: true))
        #expect(shown == [70, 70, 1])
    }

    @Test(arguments: [(0.8, [LeaseKind.dim, .boost]), (0.1, [.boost, .dim]), (0.3, [.dim, .boost])])
    func `a held value is a boost and a dim, and the baseline is as before when it ends`(
        brightness: Double,
        kinds: [LeaseKind]
    ) throws {
        let answer = try apply(value(brightness), heldBy: "film")
        #expect(answer.events.map(\.lease.kind) == kinds)
        #expect(answer.state.cause.kind.rawValue == kinds.last?.rawValue)
        #expect(shown == [Int(brightness * 100), 30, 1])
        try fixture.perform(.tick, at: .after(.seconds(60)))
        #expect(shown == [30, 30, 1])
    }

    @Test func `a held power state is a sleep or a wake`() throws {
        #expect(try apply(value(nil, on: false), heldBy: "film").events.map(\.lease.kind) == [.sleep])
        #expect(shown == [30, 30, 0])
        let changes = try apply(value(0.5, on: true), heldBy: "film").events.map(\.change)
        #expect(changes == [.released, .granted, .granted, .granted])
        #expect(shown == [50, 30, 1])
    }

    @Test func `a held preset that is applied again switches on what others have switched off`() throws {
        try apply(value(nil, on: true), heldBy: "film")
        fixture.panel.isOn = false
        try fixture.perform(.refresh())
        let again = try apply(value(nil, on: true), heldBy: "film", at: .after(.seconds(5)))
        #expect(again.events.map(\.change) == [.released, .granted])
        #expect(fixture.panel.switches == [true])
    }

    @Test func `a held preset is activity unless it only switches off`() throws {
        let (bright, brighter, dark) = try (value(0.8), value(0.9), value(0.1))
        let (off, on) = try (value(nil, on: false), value(nil, on: true))
        let activity = fixture.hub.source.listen(to: NotificationFilter([.activity])) {}
        func isActivity(_ value: PresetValue, heldBy holder: String?) -> Bool {
            let hold = holder.map { PresetRequest.Terms(ttl: .seconds(60), holder: $0) }
            _ = fixture.submit(.apply(PresetRequest(.value(value), terms: hold)), requester: .client)
            fixture.queue.runAll()
            return activity.drain() == [.activity]
        }
        #expect(isActivity(bright, heldBy: "film"))
        #expect(isActivity(brighter, heldBy: "film"))
        #expect(isActivity(dark, heldBy: "film"))
        #expect(!isActivity(off, heldBy: "film"))
        #expect(isActivity(on, heldBy: "film"))
        // Baselines are a change by the client.
        #expect(isActivity(dark, heldBy: nil))
    }

    @Test func `the next held preset replaces that of any holder`() throws {
        try apply(value(0.9), heldBy: "film")
        try apply(value(0.5), heldBy: "other")
        #expect(shown == [50, 30, 1])
        try apply(value(0.2), heldBy: "film")
        #expect(shown == [20, 30, 1])
        try fixture.perform(.restore(holder: "other"))
        #expect(shown == [20, 30, 1])
        try fixture.perform(.restore(holder: "film"))
        #expect(shown == [30, 30, 1])
    }

    @Test func `the next held preset replaces the leases about brightness and power`() throws {
        try apply(value(nil, on: false), heldBy: "other")
        try apply(value(0.1, on: true), heldBy: "film")
        #expect(shown == [10, 30, 1])
        let changes = try apply(value(0.9), heldBy: "film").events.map { [$0.lease.kind.rawValue, $0.change.rawValue] }
        #expect(
            changes == [
                ["boost", "released"], ["dim", "released"], ["wake", "released"], ["dim", "granted"],
                ["boost", "granted"],
            ]
        )
        #expect(shown == [90, 30, 1])
        try apply(value(nil, on: false), heldBy: "film")
        #expect(shown == [30, 30, 0])
    }

    // MARK: The newest press

    @Test func `a held preset is shown after a person has overridden one`() throws {
        try apply(value(0.1), heldBy: "film")
        fixture.panel.step = 60
        try fixture.perform(.refresh(as: .hotkey))
        #expect(shown == [60, 60, 1])
        try apply(value(0.5), heldBy: "film")
        #expect(shown == [50, 60, 1])
        try apply(value(0.1), heldBy: "film")
        #expect(shown == [10, 60, 1])
    }

    @Test func `a preset without a time ends a held one`() throws {
        try apply(value(0.1, on: false), heldBy: "film")
        let answer = try apply(value(1, on: true))
        #expect(answer.events.map(\.change) == [.released, .released, .released])
        #expect(shown == [100, 100, 1])
        #expect(answer.state.cause.kind == .api && answer.state.cause.by == "somebody")
    }

    @Test(arguments: [0.1, 0.9])
    func `a held preset holds its value when the baseline changes`(baseline: Double) throws {
        try apply(value(0.5), heldBy: "film")
        try fixture.perform(.set(baseline))
        #expect(shown == [50, Int(baseline * 100), 1])
    }

    @Test func `the newest press counts across principals, and says if another lease is in its way`() throws {
        func press(_ brightness: Double, by principal: String) throws -> CommandSuccess {
            let request = try PresetRequest(.value(value(brightness)), terms: .init(ttl: .seconds(60)))
            let requester = Requester(Principal(principal), isAdmin: false)
            let results = fixture.submit(.apply(request), requester: requester)
            fixture.queue.runAll()
            return try results.all[0].get()
        }
        _ = try press(0.2, by: "a")
        let day = try press(0.9, by: "b")
        #expect(shown == [90, 30, 1])
        #expect(Set(day.events.filter { $0.change == .released }.map(\.lease.principal.text)) == ["a"])
        try fixture.perform(.lease(.dim, 0.4, by: "night"))
        #expect(try press(0.8, by: "a").state.limits == [.dim])
        #expect(shown == [40, 30, 1])
    }

    @Test func `a holder's own leases stay during and after a preset that it has applied`() throws {
        try fixture.perform(.lease(.sleep, by: "night", for: .seconds(600)))
        try fixture.perform(.lease(.wake, by: "door", for: .seconds(600)))
        try apply(value(0.1), heldBy: "door")
        #expect(shown == [10, 30, 1])
        try fixture.perform(.tick, at: .after(.seconds(60)))
        #expect(shown == [30, 30, 1])
        // Its own restore ends both.
        try apply(value(0.1), heldBy: "door", at: .after(.seconds(60)))
        try fixture.perform(.restore(holder: "door"), at: .after(.seconds(61)))
        #expect(shown == [30, 30, 0])
    }

    @Test func `a display that cannot be switched stays on, and refuses to be switched off`() throws {
        let fixture = try DisplayServiceFixture(showing: 30)
        let on = PresetRequest(.value(try value(0.6, on: true)))
        #expect(try fixture.perform(.apply(on)).state.baseline.fraction == 0.6)
        let off = PresetRequest(.value(try value(0.1, on: false)))
        #expect(throws: CommandError.notSwitchable) { try fixture.perform(.apply(off)) }
        #expect(fixture.state.baseline.fraction == 0.6)
    }

    @Test func `a grant that is refused leaves the holder's leases as they were`() throws {
        func submit(_ action: Command.Action) throws -> CommandSuccess {
            let results = fixture.submit(action, requester: .client)
            fixture.queue.runAll()
            return try results.all[0].get()
        }
        let hold = PresetRequest.Terms(ttl: .seconds(60), holder: "film")
        _ = try submit(.apply(PresetRequest(.value(value(0.9)), terms: hold)))
        for number in 2..<LeaseTable.principalLimit {
            _ = try submit(.grant(LeaseRequest(.wake, ttl: .seconds(60), holder: "\(number)")))
        }
        let before = fixture.state
        let night = PresetRequest(.value(try value(0.1, on: false)), terms: hold)
        #expect(throws: CommandError.lease(.tooManyOfPrincipal)) { try submit(.apply(night)) }
        #expect(fixture.state == before)
    }
}

/// Which rule of a preset is for a display.
@Suite struct PresetRuleTests {
    private let groups: DisplayGroups

    init() throws { groups = try DisplayGroups([try #require(DisplayGroup("floor=hall:*"))]) }

    private func state(_ id: String, tags: [String] = []) throws -> DisplayState {
        DisplayState.of(try #require(DisplayID(id)), tags: tags.compactMap { DisplayTag($0) })
    }

    private func preset(_ keys: String...) throws -> Preset {
        let rules = try keys.enumerated().map { place, key in
            let value = PresetValue(brightness: Brightness(clamping: Double(place) / 100), isOn: nil)
            return Preset.Rule(try #require(PresetDisplays(key)), try #require(value))
        }
        let name = try #require(ResourceName("film"))
        return try #require(Preset(name, rules))
    }

    @Test func `the most specific rule counts`() throws {
        let preset = try preset("all", "tag:big", "group:floor", "hall:*", "hall:left*", "hall:left")
        func place(_ id: String, tags: [String] = []) throws -> Int? {
            preset.value(for: try state(id, tags: tags), among: groups)?.brightness.map { Int($0.fraction * 100 + 0.5) }
        }
        #expect(try place("hall:left") == 5)
        #expect(try place("hall:left2", tags: ["big"]) == 4)
        #expect(try place("hall:right") == 3)
        #expect(try place("lobby:a", tags: ["big"]) == 1)
        #expect(try place("lobby:a") == 0)
    }

    @Test func `ids are in the order of their names, and longer patterns come first`() throws {
        let keys = try preset("right", "all", "left", "h*", "hall:*").rules.map(\.displays.text)
        #expect(keys == ["left", "right", "hall:*", "h*", "all"])
    }

    @Test func `a group is that of the daemon's options`() throws {
        let preset = try preset("group:floor", "group:gone")
        #expect(preset.value(for: try state("hall:a"), among: groups) != nil)
        #expect(preset.value(for: try state("hall:a"), among: .none) == nil)
    }

    @Test(arguments: ["", "a b", "group:", "group:a b", "tag:", "*/*"])
    func `text that no display can have is not a key`(text: String) { #expect(PresetDisplays(text) == nil) }

    @Test(arguments: ["all", "DP-1", "hall:*", "group:floor", "tag:big"])
    func `a key is written as it was read`(text: String) { #expect(PresetDisplays(text)?.text == text) }
}

/// The stored presets.
@Suite struct PresetServiceTests {
    private let hub = NotificationHub()

    private func preset(_ name: String, _ brightness: Double = 0.5) throws -> Preset {
        let value = try #require(PresetValue(brightness: Brightness(clamping: brightness), isOn: nil))
        let name = try #require(ResourceName(name))
        return try #require(Preset(name, [Preset.Rule(.all, value)]))
    }

    private func service(_ earlier: [Preset] = [], _ journal: StoredRecords = StoredRecords()) -> PresetService {
        PresetService(earlier, journal: journal) { [poster = hub.poster] in poster.put([.presets($0)]) }
    }

    private func put(_ preset: Preset, in service: PresetService) -> Result<Bool, PresetService.Failure>? {
        let results = Collected<Result<Bool, PresetService.Failure>>()
        service.set(preset.name, to: preset) { results.append($0) }
        return results.all.first
    }

    private var posted: [Preset]? {
        guard case .presets(let presets)? = hub.source.retained(.presets) else { return nil }
        return presets
    }

    private var names: [String]? { posted?.map(\.name.text) }

    @Test func `each change is posted, in the order of the names`() throws {
        let service = service()
        #expect(posted == [])
        #expect(put(try preset("b"), in: service) == .success(true))
        #expect(put(try preset("a"), in: service) == .success(true))
        #expect(put(try preset("b", 0.1), in: service) == .success(false))
        #expect(names == ["a", "b"])
        service.set(try preset("b").name, to: nil) { _ in }
        #expect(names == ["a"])
        let failures = Collected<PresetService.Failure>()
        service.set(try preset("b").name, to: nil) { if case .failure(let failure) = $0 { failures.append(failure) } }
        #expect(failures.all == [.unknown])
    }

    @Test func `a listener is woken outside the lock`() throws {
        let service = service()
        let woken = Collected<PresetService.Failure>()
        let name = try preset("gone").name
        let listener = hub.source.listen(to: NotificationFilter([.presets])) {
            service.set(name, to: nil) { if case .failure(let failure) = $0 { woken.append(failure) } }
        }
        _ = listener.drain()
        #expect(put(try preset("a"), in: service) == .success(true))
        #expect(woken.all == [.unknown])
    }

    @Test func `a name stays as it was first spelled`() throws {
        let service = service([try preset("e\u{301}")])
        #expect(put(try preset("\u{E9}", 0.2), in: service) == .success(false))
        #expect(posted?.map { Array($0.name.text.unicodeScalars).count } == [2])
        #expect(posted?.first?.rules.first?.value.brightness?.fraction == 0.2)
    }

    @Test func `a preset is stored and removed under the name that was first spelled`() throws {
        let stored = StoredRecords()
        let service = service([try preset("e\u{301}")], stored)
        #expect(put(try preset("\u{E9}", 0.2), in: service) == .success(false))
        service.set(try preset("\u{E9}").name, to: nil) { _ in }
        // Two spellings are the same text, and not the same bytes.
        #expect(stored.keys.all.map { Array($0.name.utf8) } == [0, 1].map { _ in Array("e\u{301}".utf8) })
    }

    @Test func `the number of presets is limited`() throws {
        let service = service(try (0..<PresetService.limit).map { try preset("\($0)") })
        #expect(put(try preset("more"), in: service) == .failure(.tooMany))
        #expect(put(try preset("1", 0.1), in: service) == .success(false))
        #expect(posted?.count == PresetService.limit)
    }
}

private struct StoredRecords: RecordJournal {
    let keys = Collected<RecordKey>()

    func store(_ document: [UInt8]?, _ key: RecordKey, completion: @escaping @Sendable () -> Void) {
        keys.append(key)
        completion()
    }
}
