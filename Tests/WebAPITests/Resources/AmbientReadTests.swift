// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// Sensors are read often while somebody looks at the light.
@Suite(.timeLimit(.minutes(10))) struct AmbientReadTests {
    @Test(arguments: [
        ("/v1/ambient", true), ("/sensor/Ambient Light", true), ("/v1/displays", false), ("/readyz", false),
    ])
    func `a read of the light counts as a viewer`(path: String, isViewer: Bool) async throws {
        let served = try ServedApplication(displays: 1)
        let light = Ambient(
            source: .sensor,
            illuminance: Illuminance(lux: 300),
            level: 0.5,
            appearance: .day,
            sensors: [],
            at: Moment.start.wall
        )
        served.hub.poster.post(.ambient(light))
        #expect(served.hub.source.retained(.audience) == .audience(isPresent: false))
        #expect(try served.get(path).head.hasPrefix("HTTP/1.1 200"))
        #expect(served.hub.source.retained(.audience) == .audience(isPresent: isViewer))
        await served.stop()
    }
}
