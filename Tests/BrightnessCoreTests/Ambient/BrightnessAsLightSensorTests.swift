// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// A display whose brightness is observed as light.
private struct Room {
    var fallback = BrightnessAsLightSensor()
    var now = Moment.start
    var reported: [Ambient] = []

    mutating func see(_ fraction: Double, _ kind: Cause.Kind = .external, isOn: Bool = true) {
        var state = DisplayState.of(at: fraction)
        state.cause = Cause(kind, at: state.cause.at)
        state.power = DisplayState.Power(isOn: isOn, baseline: true, isSwitchable: true)
        fallback.receive(state, at: now.instant)
        look()
    }

    mutating func pass(_ seconds: Double) {
        let end = now + .seconds(seconds)
        while let deadline = fallback.deadline, deadline <= end.instant {
            now = now + (deadline - now.instant)
            look()
        }
        now = end
        look()
    }

    private mutating func look() {
        if let news = fallback.takeChange(at: now) { reported.append(news) }
    }

    var levels: [Double?] { reported.map(\.level) }
    var appearances: [Appearance?] { reported.map(\.appearance) }
}

@Suite struct BrightnessAsLightSensorTests {
    @Test func `the initial brightness and other programs' lasting changes stand for the light; own changes do not`() {
        var room = Room()
        for (fraction, kind) in [
            (0.5, .connected), (0.9, .api), (0.5, .restore), (0.7, .external), (1, .boost), (0.7, .hotkey),
            (0.6, .auto), (0.4, .external),
        ] as [(Double, Cause.Kind)] {
            room.see(fraction, kind)
            room.pass(60)
        }
        #expect(room.appearances == [.day, .day, .day])
        #expect(room.reported.allSatisfy { $0.illuminance == nil && $0.sensors.isEmpty && $0.source == .brightness })
    }

    @Test func `a small change and a short one do not count`() {
        var room = Room()
        room.see(0.5, .connected)
        room.see(0.53)
        room.pass(3_600)
        room.see(0.4)
        room.pass(9)
        room.see(0.5)
        room.pass(3_600)
        #expect(room.levels == [0.5])
        room.see(0.4)
        room.pass(9)
        #expect(room.reported.count == 1)
        room.pass(1)
        #expect(room.reported.count == 2)
    }

    @Test func `six quick writes do not make it night`() {
        var room = Room()
        room.see(0.8, .connected)
        for fraction in [0.1, 0.8, 0.05, 0.7, 0.0, 0.8] {
            room.see(fraction)
            room.pass(0.2)
        }
        room.pass(3_600)
        #expect(room.appearances == [.day])
    }

    @Test(arguments: [1, 30, 590])
    func `an idle display that is dimmed and restored stays day`(seconds: Double) {
        var room = Room()
        room.see(0.8, .connected)
        // The fade takes a second.
        for fraction in [0.6, 0.4, 0.2] {
            room.see(fraction)
            room.pass(0.3)
        }
        room.pass(seconds)
        room.see(0.8)
        room.pass(3_600)
        #expect(room.appearances == [.day])
    }

    @Test func `an idle display that is dimmed and then off stays day`() {
        var room = Room()
        room.see(0.8, .connected)
        room.see(0.2)
        room.pass(60)
        room.see(0.2, isOn: false)
        room.pass(3_600)
        room.see(0.8)
        room.pass(60)
        #expect(room.appearances == [.day])
    }

    @Test func `an idle display that is dimmed soon after a small change stays day`() {
        var room = Room()
        room.see(0.8, .connected)
        room.see(0.75)
        room.pass(5)
        room.see(0.2)
        room.pass(500)
        room.see(0.75)
        room.pass(3_600)
        #expect(room.appearances.allSatisfy { $0 == .day })
    }

    @Test func `a quick sunset is night though it falls to less than half before it has lasted`() {
        var room = Room()
        var fraction = 0.5
        room.see(fraction, .connected)
        for _ in 0..<18 {
            room.pass(1)
            fraction *= 0.9
            room.see(fraction)
        }
        room.pass(10)
        #expect(room.appearances.last == .night)
    }

    @Test func `a fall to less than half counts when it outlasts an idle display`() {
        var room = Room()
        room.see(0.8, .connected)
        room.see(0.1)
        room.pass(600)
        #expect(room.appearances == [.day, .night])
    }

    @Test func `automatic brightness that falls step by step is night soon, and rises to day sooner`() {
        var room = Room()
        room.see(0.6, .connected)
        for fraction in [0.5, 0.4, 0.3, 0.2, 0.15, 0.12] {
            room.see(fraction)
            room.pass(15)
        }
        #expect(room.appearances.last == .night)
        #expect(room.levels == room.levels.sorted { $0! > $1! })
        room.see(0.6)
        room.pass(2)
        #expect(room.appearances.last == .day)
    }

    @Test func `the level is the place within the range that is in use`() {
        var room = Room()
        room.see(0.5, .connected)
        // This person's display stays between 0.3 and 0.6.
        for _ in 0..<10 {
            for fraction in [0.3, 0.45, 0.6, 0.45] {
                room.see(fraction)
                room.pass(20)
            }
        }
        #expect(room.levels.last == 0.5)
        #expect(room.appearances.last == .day)
        room.see(0.3)
        room.pass(20)
        #expect(room.levels.last == 0)
        #expect(room.appearances.last == .night)
        // Before anything is known of the person, the same brightness is in the middle.
        #expect(room.levels[1]! > 0.25)
    }

    @Test func `a narrow range is not stretched`() {
        var room = Room()
        room.see(0.5, .connected)
        for _ in 0..<20 {
            for fraction in [0.55, 0.5] {
                room.see(fraction)
                room.pass(20)
            }
        }
        #expect(room.levels.last == 0.5)
        #expect(room.appearances.allSatisfy { $0 == .day })
    }
}
