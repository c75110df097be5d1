// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

private let points = PanelCurve("0:3,50:30,100:80")!
private let steep = PanelCurve("0:0,1:90,100:100")!
private let flat = PanelCurve("0:40,99:41,100:42")!

@Suite(.timeLimit(.minutes(10)))
struct PanelCurveTests {
    private static let curves: [PanelCurve] = [.linear, .perceptual, points, steep, flat] + random(20)
    private static let maxima = [1, 2, 7, 15, 100, 255, 640, 960, 7_500, 120_000]

    /// Curves of random points.
    private static func random(_ count: Int) -> [PanelCurve] {
        var random = SplitMix(seed: 34)
        func ascending(_ count: Int) -> [Double] {
            Set((0..<count).map { _ in random.number(1...999) }).sorted().map { Double($0) / 1_000 }
        }
        return (0..<count).compactMap { _ in
            let brightness = [0] + ascending(random.number(0...30)) + [1]
            var levels = ascending(60)
            while levels.count > brightness.count { levels.remove(at: random.number(0...levels.count - 1)) }
            let pairs = zip(brightness, levels).map { PanelCurve.Points.Point($0, $1) }
            return PanelCurve.Points(pairs).map { .points($0) }
        }
    }

    @Test func `there are random curves`() { #expect(Self.curves.count > 20) }

    @Test(arguments: curves)
    func `a curve rises`(curve: PanelCurve) {
        let levels = (0...1_000).map { curve.level(of: Double($0) / 1_000) }
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 < $1 })
        #expect(levels.allSatisfy { (0...1).contains($0) })
    }

    @Test(arguments: curves)
    func `a curve and its inverse agree`(curve: PanelCurve) {
        for brightness in (0...1_000).map({ Double($0) / 1_000 }) {
            #expect(abs(curve.brightness(of: curve.level(of: brightness)) - brightness) < 1e-9)
        }
    }

    @Test(arguments: curves)
    func `the ends are exact, and levels outside count as the nearest one`(curve: PanelCurve) {
        let (first, last) = (curve.level(of: 0), curve.level(of: 1))
        #expect((curve.brightness(of: first), curve.brightness(of: last)) == (0, 1))
        #expect((curve.brightness(of: 0), curve.brightness(of: 1)) == (0, 1))
        guard case .points(let points) = curve else { return #expect((first, last) == (0, 1)) }
        for point in points.all {
            #expect(curve.level(of: point.brightness) == point.level)
            #expect(curve.brightness(of: point.level) == point.brightness)
        }
    }

    /// Each step of a panel that the curve uses.
    @Test(arguments: maxima)
    func `every step in use is recovered from its fraction, and a fraction within a step`(maximum: Int) throws {
        for curve in Self.curves {
            let range = try #require(BrightnessRange(maximum: maximum)).with(curve)
            let (first, last) = (range.step(for: .at(0)), range.step(for: .full))
            let lost = (first...last).filter { step in
                let level = Double(step) / Double(maximum)
                let isInUse = (curve.level(of: 0)...curve.level(of: 1)).contains(level)
                return isInUse && range.step(for: range.brightness(of: step)) != step
            }
            #expect(lost == [], "\(curve.text())")
            for fraction in (0...100).map({ Double($0) / 100 }) {
                let step = range.step(for: .at(fraction))
                let (less, more) = (range.brightness(of: step - 1), range.brightness(of: step + 1))
                #expect((less.fraction - 1e-9...more.fraction + 1e-9).contains(fraction), "\(curve.text())")
            }
        }
    }

    /// CIE L* of 50 is a luminance of 18.4 %, that of 8 the end of the straight part.
    @Test(arguments: [(0, 0), (0.08, 0.008856), (0.25, 0.044155), (0.5, 0.184187), (0.75, 0.482781), (1, 1)])
    func `the perceptual curve is CIE's`(brightness: Double, light: Double) {
        #expect(abs(PanelCurve.perceptual.level(of: brightness) - light) < 1e-6)
    }

    /// The minimum, 1 % of the panel, is below the range of the points.
    @Test(arguments: [
        (PanelCurve.linear, [10, 250, 500, 750, 1_000]), (.perceptual, [10, 44, 184, 483, 1_000]),
        (points, [30, 165, 300, 550, 800]),
    ])
    func `these steps are written`(curve: PanelCurve, steps: [Int]) throws {
        let range = try #require(BrightnessRange(minimum: 10, maximum: 1_000)).with(curve)
        #expect([0, 0.25, 0.5, 0.75, 1].map { range.step(for: .at($0)) } == steps)
    }

    @Test(arguments: ["linear", "perceptual", "0:3,50:30,100:80", "0:0,100:100", "0:0.5,7:7,100:99.5"])
    func `the text of a curve is read back`(text: String) throws {
        let curve = try #require(PanelCurve(text))
        #expect(curve.text() == text)
        #expect(PanelCurve(curve.text(per: 1), per: 1) == curve)
    }

    @Test(arguments: [
        "", "linea", "0:0", "0:3,100", "0:3,50:30", "10:3,100:80", "0:3,50:30,50:40,100:80", "0:3,50:30,100:30",
        "0:3,100:101",
        "0:-1,100:80", "0:nan,100:80", "0:3,nan:30,100:80", "0:3,100:80,", "0:80,100:3", "0:3:1,100:80", "0:inf,100:80",
        (0...32).map { "\(Double($0) * 3.125):\($0)" }.joined(separator: ","),
    ])
    func `a text that is not a curve is rejected`(text: String) { #expect(PanelCurve(text) == nil) }
}

/// A display of 1,000 steps with a curve: 3, 30 and 80 % of the panel. It shows step 300.
@Suite(.timeLimit(.minutes(10)))
struct CurvedDisplayTests {
    private let fixture: DisplayServiceFixture

    init() throws {
        fixture = try DisplayServiceFixture(showing: 300, guard: 10, maximum: 1_000)
        try curve(points)
    }

    private func curve(_ curve: PanelCurve?) throws {
        try fixture.perform(.configure(DisplaySettings.Change(curve: .some(curve))))
    }

    @Test func `a new curve keeps the brightness and moves the panel`() throws {
        #expect(fixture.state.baseline == .at(0.3))
        #expect(fixture.panel.step == 192)
        #expect(fixture.state.range.curve == points)
        try curve(.perceptual)
        #expect((fixture.state.baseline, fixture.panel.step) == (.at(0.3), 62))
        #expect(fixture.state.cause.kind == .settings)
        try curve(nil)
        #expect((fixture.state.baseline, fixture.panel.step) == (.at(0.3), 300))
    }

    @Test func `a person's step outside the range is shown as 0 or 1, and restored exactly`() throws {
        for (step, brightness) in [(900, 1.0), (20, 0)] {
            fixture.panel.step = step
            try fixture.perform(.refresh())
            #expect((fixture.state.baseline, fixture.state.step) == (.at(brightness), step))
            try fixture.perform(.lease(.dim, 0))
            #expect(fixture.panel.step == (step == 20 ? 20 : 30))
            try fixture.perform(.restoreAll())
            #expect(fixture.panel.step == step)
        }
        try fixture.perform(.boost())
        #expect(fixture.panel.step == 800)
    }

    @Test(arguments: [(0, 10, 0), (10, 10, 0), (165, 165, 0.25), (300, 300, 0.5), (1_000, 1_000, 1)])
    func `a step that a client sets is that of the panel`(asked: Int, step: Int, brightness: Double) throws {
        try fixture.perform(.set(.step(asked)))
        #expect((fixture.panel.step, fixture.state.baseline) == (step, .at(brightness)))
    }

    @Test func `a delta moves by brightness, and one step at least`() throws {
        try fixture.perform(.set(0.5))
        try fixture.perform(.move(delta: 0.25))
        #expect((fixture.panel.step, fixture.state.baseline) == (550, .at(0.75)))
        try fixture.perform(.move(delta: -0.0001))
        #expect(fixture.panel.step == 549)
    }

    @Test func `leases reach the ends of the range`() throws {
        try fixture.perform(.boost(0.5))
        #expect(fixture.panel.step == 300)
        try fixture.perform(.lease(.dim, 0))
        #expect(fixture.panel.step == 30)
    }

    @Test func `a transition passes equal brightness in equal time`() throws {
        try fixture.perform(.set(0))
        try fixture.perform(.set(1), in: .seconds(2))
        // Three quarters of the brightness in half of the time.
        try fixture.perform(.tick, at: .after(.seconds(1)))
        #expect(abs(fixture.panel.step - 550) <= 4)
        try fixture.perform(.tick, at: .after(.seconds(2)))
        #expect(fixture.panel.step == 800)
    }

    @Test func `a display that cannot be dimmed has no curve`() throws {
        var range = BrightnessRange.fixed
        range.curve = .perceptual
        #expect(range.step(for: .full) == 1)
        let change = DisplaySettings.Change(curve: .perceptual)
        #expect(Command.Action.configure(change).rules.requirement == .brightness)
        let reset = DisplaySettings.Change(name: .some(nil), curve: .some(nil))
        #expect(Command.Action.configure(reset).rules.requirement == nil)
    }
}
