// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// Random sequences of light, people and boosts, checked against the rules.
@Suite struct AutomaticStoriesTests {
    @Test(arguments: 0..<200)
    func `the light changes no boost, and people win`(seed: UInt64) throws {
        var story = Story(seed)
        for _ in 0..<150 { try story.goOn() }
    }
}

private struct Story {
    private static let hold: Duration = .seconds(60)
    private static let cap = Brightness.at(0.9)

    private var random: SplitMix
    private var model: DisplayModel
    private var now = Moment.start

    // The expected state, by the published rules.
    private var baseline = Brightness.at(0.3)
    private var leases: [String: (brightness: Brightness, end: Instant, isOverridden: Bool)] = [:]
    private var isEnabled = false
    private var held: Instant?

    init(_ seed: UInt64) {
        random = SplitMix(seed: seed)
        model = DisplayModel(
            ScriptedPanel(.left, range: BrightnessRange(maximum: 100)!, step: 30),
            showing: 30,
            .init(cap: Self.cap, automatic: AutomaticRules(hold: Self.hold, up: .zero, down: .zero)),
            at: .start
        )
    }

    private var highest: Brightness? {
        leases.values.filter { !$0.isOverridden }.map { min($0.brightness, Self.cap) }.max()
    }

    private var isOverridden: Bool { !leases.isEmpty && leases.values.allSatisfy(\.isOverridden) }

    private var effective: Brightness { max(baseline, highest ?? baseline) }

    mutating func goOn() throws {
        now = now + .milliseconds(random.number(0...(random.number(0...3) == 0 ? 89_999 : 1_999)))
        try passTime()
        let lessons = model.automatic.record.lessons
        var mayLearn = false
        switch random.number(0...11) {
        case ..<3:
            let lux = 20_000 * random.fraction() * random.fraction() * random.fraction()
            model.light = random.number(0...4) == 0 ? nil : .of(lux)
            try apply(.follow)
            acceptLight()
        case ..<5:
            try set(.at(random.fraction()))
            mayLearn = isEnabled
        case 5:
            mayLearn = isEnabled && !leases.values.contains(where: \.isOverridden) && effective == baseline
            touchPanel(random.number(0...100))
        case ..<9:
            try boost("holder \(random.number(0...2))", .at(random.fraction()))
        case 9:
            try restore("holder \(random.number(0...2))")
        default:
            try switchAutomatic(random.number(0...2) > 0)
        }
        if !mayLearn { #expect(model.automatic.record.lessons == lessons) }
        bringToPanel()
        check()
    }

    private mutating func apply(_ action: Command.Action) throws {
        _ = try model.execute(Command(action), leaseID: { .random() }, connectivity: { _, _ in .unknown }, at: now)
    }

    // MARK: Events

    private mutating func passTime() throws {
        guard model.isOverdue(at: now.instant) else { return }
        leases = leases.filter { $0.value.end > now.instant }
        let isOver = held.map { $0 <= now.instant } ?? false
        if isOver { held = nil }
        try apply(.tick)
        if isOver { acceptLight() }
    }

    /// Without a hold, the light may have set the baseline, but only to the curve's value.
    private mutating func acceptLight() {
        guard isEnabled, held == nil, let light = model.light else { return }
        if model.baseline != baseline { baseline = model.automatic.brightness(in: light) }
    }

    private mutating func set(_ brightness: Brightness) throws {
        baseline = brightness
        if isEnabled { held = now.instant + Self.hold }
        try apply(.set(.fraction(brightness)))
    }

    private mutating func touchPanel(_ step: Int) {
        guard step != model.shown else { return }
        baseline = .at(Double(step) / 100)
        for holder in leases.keys { leases[holder]?.isOverridden = true }
        if isEnabled { held = now.instant + Self.hold }
        // By a key, because a program's change may be a dimmer's.
        model.observe(step, cause: .hotkey, at: now)
    }

    private mutating func boost(_ holder: String, _ brightness: Brightness) throws {
        let ttl = Duration.seconds(random.number(1...200))
        leases[holder] = (brightness, now.instant + ttl, leases[holder]?.isOverridden ?? false)
        try apply(.grant(LeaseRequest(at: .fraction(brightness), ttl: ttl, holder: holder)))
    }

    private mutating func restore(_ holder: String) throws {
        leases[holder] = nil
        try apply(.restore(holder: holder))
    }

    private mutating func switchAutomatic(_ isEnabled: Bool) throws {
        self.isEnabled = isEnabled
        held = nil
        try apply(.setAutomatic(isEnabled))
        if isEnabled, let light = model.light { baseline = model.automatic.brightness(in: light) }
    }

    private mutating func bringToPanel() {
        guard model.needsWrite(at: now.instant) else { return }
        let step = model.step(at: now.instant)
        model.wrote(step, readBack: step, at: now)
    }

    // MARK: Checks

    private func check() {
        let state = model.state(at: Revision(1))
        #expect(state.baseline == baseline)
        #expect(state.brightness == effective)
        #expect(state.step == BrightnessRange(maximum: 100)!.step(for: effective))
        let counted = leases.values.count { !$0.isOverridden || isOverridden }
        #expect(state.boost?.count ?? 0 == counted)
        #expect(state.boost?.isOverridden ?? false == isOverridden)
        #expect(state.automatic.isEnabled == isEnabled)
        #expect(model.automatic.heldUntil?.instant == held)
    }
}
