// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

@Suite(.timeLimit(.minutes(10)))
struct NotificationTests {
    typealias Notification = BrightnessCore.Notification

    @Test(arguments: [
        (
            Notification.state(.left, 1), Notification.Key(kind: .state, display: .left),
            Notification.Retention.retained
        ),
        (.lease("a", .granted), .init(kind: .lease, display: .left, lease: LeaseID("a")), .retained),
        (.lease("a", .renewed), .init(kind: .lease, display: .left, lease: LeaseID("a")), .retained),
        (.lease("a", .granted, on: .right), .init(kind: .lease, display: .right, lease: LeaseID("a")), .retained),
        (.lease("a", .released), .init(kind: .lease, display: .left, lease: LeaseID("a")), .passing),
        (.lease("a", .expired), .init(kind: .lease, display: .left, lease: LeaseID("a")), .passing),
        (.display(.left, .added), .init(kind: .display, display: .left), .passing),
        (.display(.left, .removed), .init(kind: .display, display: .left), .passing),
        (.journal(.durable), .init(kind: .journal), .retained),
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
        (Notification.state(.right, 1), Notification.Kind.state),
        (.lease("a", .granted, on: .right), .lease),
        (.display(.right, .added), .display),
        (.failure(.right, .absent(path: "/test")), .failure),
    ])
    func `a notification has a kind`(notification: Notification, kind: Notification.Kind) {
        #expect(notification.kind == kind)
    }

    @Test(arguments: [
        (NotificationFilter.all, true),
        (NotificationFilter([.state]), true),
        (NotificationFilter([.lease, .failure]), false),
        (NotificationFilter([]), false),
    ])
    func `a filter includes its kinds`(filter: NotificationFilter, isIncluded: Bool) {
        #expect(filter.includes(.state(.left, 1)) == isIncluded)
    }
}
