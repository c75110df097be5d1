// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

@Suite struct BrightnessAsLightSensorTests {
    private func state(_ fraction: Double, _ kind: Cause.Kind) -> DisplayState {
        var state = DisplayState.of(at: fraction)
        state.cause = Cause(kind, at: state.cause.at)
        return state
    }

    @Test func `the initial brightness and other programs' changes stand for the light; own changes do not`() {
        var standIn = BrightnessAsLightSensor()
        var reported: [Ambient] = []
        for (fraction, kind) in [
            (0.5, .connected), (0.9, .api), (0.5, .restore), (0.2, .external), (1, .boost), (0.2, .external),
            (0.6, .hotkey), (0.8, .external),
        ] as [(Double, Cause.Kind)] {
            if let news = standIn.news(of: state(fraction, kind)) { reported.append(news) }
        }
        #expect(reported.map(\.level) == [0.5, 0.2, 0.8])
        #expect(reported.map(\.confidence) == [0.1, 0.2, 0.2])
        #expect(reported.map(\.appearance) == [.day, .night, .day])
        #expect(reported.allSatisfy { $0.illuminance == nil && $0.sensors.isEmpty && $0.source == .brightness })
    }
}
