// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

@Suite struct ViewerCountTests {
    let hub = NotificationHub()

    @Test func `only the arrival of the first viewer and the departure of the last one are posted`() {
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

    @Test func `a new listener learns that a viewer is present`() {
        let viewers = ViewerCount(poster: hub.poster)
        let viewer = viewers.join()
        #expect(hub.source.retained(.audience) == .audience(isPresent: true))
        withExtendedLifetime(viewer) {}
    }
}
