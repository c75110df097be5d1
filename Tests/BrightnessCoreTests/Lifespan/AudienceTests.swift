// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

@Suite struct AudienceTests {
    let hub = NotificationHub()

    @Test func `the first viewer and the last are told of, and nobody between`() {
        let audience = Audience(poster: hub.poster)
        let listener = hub.source.listen(to: NotificationFilter([.audience])) {}
        #expect(listener.drain() == [.audience(isPresent: false)])
        var viewers = [audience.join()]
        #expect(listener.drain() == [.audience(isPresent: true)])
        viewers.append(audience.join())
        viewers.removeFirst()
        #expect(listener.drain() == [])
        viewers.removeLast()
        #expect(listener.drain() == [.audience(isPresent: false)])
    }

    @Test func `whoever comes later learns that somebody looks`() {
        let audience = Audience(poster: hub.poster)
        let viewer = audience.join()
        #expect(hub.source.retained(.audience) == .audience(isPresent: true))
        withExtendedLifetime(viewer) {}
    }
}
