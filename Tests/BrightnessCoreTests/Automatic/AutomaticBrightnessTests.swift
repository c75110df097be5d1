// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite struct AutomaticBrightnessTests {
    private let rules = AutomaticRules(
        isOnByDefault: true,
        hold: .seconds(600),
        curve: BrightnessCurve("0:0.2,99:0.4,9999:0.8")!
    )

    @Test(arguments: [(nil, false, false), (nil, true, true), (true, false, true), (false, true, false)])
    func `a mode that was set takes precedence`(switched: Bool?, isDefault: Bool, isEnabled: Bool) {
        let automatic = AutomaticBrightness(
            AutomaticRules(isOnByDefault: isDefault),
            goingOnFrom: AutomaticRecord(isEnabled: switched)
        )
        #expect((automatic.isEnabled, automatic.follows) == (isEnabled, isEnabled))
    }

    @Test func `each change by a person starts a new hold`() {
        var automatic = AutomaticBrightness(rules)
        automatic.learn(.at(0.5), in: .of(99), at: .start)
        #expect(automatic.heldUntil == .after(.seconds(600)))
        automatic.learn(.at(0.6), in: .of(99), at: .after(.seconds(100)))
        #expect(automatic.heldUntil == .after(.seconds(700)))
        #expect(!automatic.follows)
        #expect(Self.end(&automatic, at: .milliseconds(699_999)) == false)
        #expect(Self.end(&automatic, at: .seconds(700)) == true)
        #expect(automatic.follows)
        #expect(Self.end(&automatic, at: .seconds(701)) == false)
    }

    /// For expectations, which cannot mutate their operands.
    private static func end(_ automatic: inout AutomaticBrightness, at time: Duration) -> Bool {
        automatic.endHold(at: Moment.after(time).instant)
    }

    @Test func `without a hold time the light continues at once`() {
        var automatic = AutomaticBrightness(AutomaticRules(isOnByDefault: true, hold: .zero))
        automatic.learn(.at(0.5), in: .of(99), at: .start)
        #expect(automatic.follows)
        #expect(automatic.brightness(in: .of(99)) == .at(0.5))
    }

    @Test(arguments: [true, false])
    func `switching the mode ends a hold`(isEnabled: Bool) {
        var automatic = AutomaticBrightness(rules)
        automatic.hold(at: .start)
        automatic.setEnabled(isEnabled)
        #expect(automatic.record.heldUntil == nil)
        #expect(automatic.follows == isEnabled)
    }

    @Test func `nothing is learned or held while the mode is off`() {
        var automatic = AutomaticBrightness(rules)
        automatic.setEnabled(false)
        automatic.learn(.at(0.9), in: .of(99), at: .start)
        #expect(automatic.record == AutomaticRecord(isEnabled: false))
    }

    @Test func `a change in unknown light is held but not learned`() {
        var automatic = AutomaticBrightness(rules)
        automatic.learn(.at(0.9), in: nil, at: .start)
        #expect(automatic.heldUntil != nil)
        #expect(automatic.record.lessons == [])
    }

    /// A dragged slider teaches only its last position.
    @Test func `of several lessons in the same light the newest counts`() {
        var (dragged, set) = (AutomaticBrightness(rules), AutomaticBrightness(rules))
        for percent in 41...70 { dragged.learn(.at(Double(percent) / 100), in: .of(99), at: .start) }
        set.learn(.at(0.7), in: .of(99), at: .start)
        #expect(dragged.record == set.record)
        for lux in [0.0, 5, 50, 99, 500, 5_000] {
            #expect(dragged.brightness(in: .of(lux)) == set.brightness(in: .of(lux)))
        }
    }

    @Test func `lessons continue with the record, also over another curve`() {
        var automatic = AutomaticBrightness(rules)
        automatic.learn(.at(0.7), in: .of(99), at: .start)
        let same = AutomaticBrightness(rules, goingOnFrom: automatic.record)
        #expect(same.brightness(in: .of(9)) == automatic.brightness(in: .of(9)))
        let other = AutomaticBrightness(
            AutomaticRules(curve: BrightnessCurve("0:1")!),
            goingOnFrom: automatic.record
        )
        #expect(other.brightness(in: .of(99)) == .at(0.7))
    }

    @Test func `forgetting deletes all lessons`() {
        var automatic = AutomaticBrightness(rules)
        automatic.learn(.at(0.7), in: .of(99), at: .start)
        automatic.forget()
        #expect(automatic.record.lessons == [])
        #expect(automatic.brightness(in: .of(99)) == .at(0.4))
    }

    @Test func `at most about twenty lessons are kept`() {
        var automatic = AutomaticBrightness(rules)
        var random = SplitMix(seed: 1)
        for _ in 0..<1_000 {
            let lux = 200_000 * random.fraction() * random.fraction() * random.fraction() * random.fraction()
            automatic.learn(.at(random.fraction()), in: .of(lux), at: .start)
        }
        #expect((10...21).contains(automatic.record.lessons.count))
    }

    @Test(arguments: [
        (0.4, 0.4, false), (0.4, 0.44, false), (0.4, 0.451, true), (0.4, 0.36, false), (0.4, 0.349, true),
        // In the dark small steps are visible, but none below a hundredth.
        (0.05, 0.057, false), (0.05, 0.061, true), (0, 0.009, false), (0, 0.01, true), (1, 0.88, false),
        (1, 0.874, true),
    ])
    func `a small change of the light does not move the display`(now: Double, wanted: Double, isWorth: Bool) {
        #expect(AutomaticBrightness.isWorthMoving(from: .at(now), to: .at(wanted)) == isWorth)
    }

    @Test func `the display dims slowly and brightens faster`() {
        let automatic = AutomaticBrightness(AutomaticRules())
        let down = automatic.transition(from: .at(0.6), to: .at(0.3))
        let up = automatic.transition(from: .at(0.3), to: .at(0.6))
        #expect(up > .zero)
        #expect(down >= up * 2)
    }
}

extension Illuminance {
    static func of(_ lux: Double) -> Illuminance { Illuminance(lux: lux)! }
}

extension BrightnessCurve.Point {
    static func of(_ lux: Double, _ fraction: Double) -> Self { Self(.of(lux), .at(fraction)) }
}
