// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

@Suite struct LightFollowersTests {
    typealias Notification = BrightnessCore.Notification

    private let hub = NotificationHub()

    private func state(_ id: DisplayID, follows: Bool, kind: DisplayKind = .simulated) -> Notification {
        var state = DisplayState.of(id, kind: kind)
        state.automatic = DisplayState.Automatic(isEnabled: follows, heldUntil: nil)
        return .state(state)
    }

    @Test func `the hub posts when the first display follows the light, and when the last one stops`() {
        let listener = hub.source.listen(to: NotificationFilter([.following])) {}
        for (fact, posted) in [
            (state(.left, follows: false), []),
            (state(.left, follows: true), [Notification.following(true)]),
            (state(.right, follows: true), []),
            (state(.left, follows: false), []),
            (.display(.right, .removed), [.following(false)]),
            (state(.right, follows: true, kind: .remote), []),
        ] {
            hub.poster.post(fact)
            #expect(listener.drain() == posted)
        }
        #expect(hub.source.retained(.following) == .following(false))
    }
}
