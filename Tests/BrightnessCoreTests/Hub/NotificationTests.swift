// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

@Suite(.timeLimit(.minutes(1)))
struct NotificationTests {
    typealias Notification = BrightnessCore.Notification

    @Test(arguments: [
        (Notification.state(.left, 1), Notification.Key.brightness(.left), Notification.Retention.retained),
        (.lease("a", .granted), .lease(.left, LeaseID("a")), .retained),
        (.lease("a", .renewed), .lease(.left, LeaseID("a")), .retained),
        (.lease("a", .granted, on: .right), .lease(.right, LeaseID("a")), .retained),
        (.lease("a", .released), .lease(.left, LeaseID("a")), .passing),
        (.lease("a", .expired), .lease(.left, LeaseID("a")), .passing),
        (.display(.left, .added), .display(.left), .passing),
        (.display(.left, .removed), .display(.left), .passing),
        (.journal(.durable), .journal, .retained),
    ])
    func `a fact replaces an older one with its key`(
        notification: Notification,
        key: Notification.Key,
        retention: Notification.Retention
    ) {
        #expect(notification.key == key)
        #expect(notification.retention == retention)
    }

    @Test func `a failure is delivered at once or never`() {
        #expect(Notification.failure(5).key == nil)
        #expect(Notification.failure(5).retention == .transient)
    }

    @Test(arguments: [
        (Notification.state(.right, 1), Notification.Kind.brightness),
        (.lease("a", .granted, on: .right), .lease),
        (.display(.right, .added), .display),
        (.failure(.right, .absent(path: "/test")), .failure),
    ])
    func `a notification has a kind and its display`(notification: Notification, kind: Notification.Kind) {
        #expect(notification.kind == kind)
        #expect(notification.displayID == .right)
    }

    @Test func `a fact about the daemon passes filters for any display`() {
        let notification = Notification.journal(.failing("the disk is full"))
        #expect(notification.displayID == nil)
        #expect(NotificationFilter([.journal], of: [.left]).includes(notification))
        #expect(!NotificationFilter([.brightness], of: [.left]).includes(notification))
    }

    @Test(arguments: [
        (NotificationFilter.all, true),
        (NotificationFilter([.brightness]), true),
        (NotificationFilter([.lease, .failure]), false),
        (NotificationFilter([]), false),
        (NotificationFilter([.brightness], of: [.left]), true),
        (NotificationFilter([.brightness], of: [.left, .right]), true),
        (NotificationFilter([.brightness], of: [.right]), false),
        (NotificationFilter([.brightness], of: []), false),
        (NotificationFilter([.lease], of: [.left]), false),
    ])
    func `a filter includes its kinds of its displays`(filter: NotificationFilter, isIncluded: Bool) {
        #expect(filter.includes(.state(.left, 1)) == isIncluded)
    }
}
