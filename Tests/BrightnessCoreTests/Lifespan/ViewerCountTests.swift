// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

@Suite struct ViewerCountTests {
    let hub = NotificationHub()

    @Test func `the first viewer and the last are told of, and nobody between`() {
        let viewers = ViewerCount(poster: hub.poster)
        let listener = hub.source.listen(to: NotificationFilter([.audience])) {}
        #expect(listener.drain() == [.audience(isPresent: false)])
        var tokens = [viewers.join()]
        #expect(listener.drain() == [.audience(isPresent: true)])
        tokens.append(viewers.join())
        tokens.removeFirst()
        #expect(listener.drain() == [])
        tokens.removeLast()
        #expect(listener.drain() == [.audience(isPresent: false)])
    }

    @Test func `whoever comes later learns that somebody looks`() {
        let viewers = ViewerCount(poster: hub.poster)
        let viewer = viewers.join()
        #expect(hub.source.retained(.audience) == .audience(isPresent: true))
        withExtendedLifetime(viewer) {}
    }
}
