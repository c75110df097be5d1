// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

@Suite(.timeLimit(.minutes(10)))
struct MailboxTests {
    typealias Notification = BrightnessCore.Notification

    private func mailbox(_ notifications: [Notification]) -> Mailbox {
        var mailbox = Mailbox()
        for notification in notifications { mailbox.put(notification) }
        return mailbox
    }

    @Test(arguments: [
        ([], []),
        ([Notification.state(.left, 1)], [Notification.state(.left, 1)]),
        // conflated by key
        ([.state(.left, 1), .state(.left, 2), .state(.left, 3)], [.state(.left, 3)]),
        ([.lease("a", .granted), .lease("a", .released)], [.lease("a", .released)]),
        ([.lease("a", .granted), .lease("b", .granted)], [.lease("a", .granted), .lease("b", .granted)]),
        ([.display(.left, .added), .display(.left, .removed)], [.display(.left, .removed)]),
        // the transient ones last, all of them
        (
            [.failure(1), .state(.left, 1), .failure(2), .failure(1)],
            [.state(.left, 1), .failure(1), .failure(2), .failure(1)]
        ),
    ])
    func `a mailbox keeps the newest of each key`(put: [Notification], drained: [Notification]) {
        var mailbox = mailbox(put)
        #expect(mailbox.isEmpty == put.isEmpty)
        #expect(mailbox.drain() == drained)
    }

    @Test func `revisions ascend, whatever was conflated`() {
        var mailbox = mailbox([.state(.left, 1), .state(.right, 2), .state(.left, 3)])
        #expect(mailbox.drain() == [.state(.right, 2), .state(.left, 3)])
    }

    @Test func `a state follows every lease event posted before it`() {
        var mailbox = mailbox([
            .lease("a", .granted, at: 1), .state(.left, 1),
            .lease("b", .granted, at: 2), .state(.left, 2),
        ])
        #expect(mailbox.drain() == [.lease("a", .granted, at: 1), .lease("b", .granted, at: 2), .state(.left, 2)])
    }

    @Test func `a mailbox that keeps states has each of them, and again after a drain`() {
        var mailbox = Mailbox(keepsStates: true)
        for _ in 0..<2 {
            let states: [Notification] = [.state(.left, 1), .state(.left, 2), .state(.left, 3)]
            for state in states { mailbox.put(state) }
            #expect(mailbox.drain() == states)
        }
    }

    @Test func `kept states are bounded, and the newest stay`() {
        var mailbox = Mailbox(keepsStates: true)
        for revision in 1...(3 * UInt64(Mailbox.limit)) { mailbox.put(.state(.left, revision)) }
        let drained = mailbox.drain()
        #expect(drained.count <= Mailbox.limit + 1)
        #expect(drained.last == .state(.left, 3 * UInt64(Mailbox.limit)))
    }

    @Test func `a drained mailbox is empty and usable`() {
        var mailbox = mailbox([.state(.left, 1), .failure(1)])
        _ = mailbox.drain()
        #expect(mailbox.isEmpty)
        #expect(mailbox.drain() == [])
        mailbox.put(.state(.left, 2))
        #expect(mailbox.drain() == [.state(.left, 2)])
    }
}

@Suite(.timeLimit(.minutes(10)))
struct MailboxLimitTests {
    typealias Notification = BrightnessCore.Notification

    private let limit = Mailbox.limit

    @Test(arguments: [
        // the number of posts, the number of kept ones
        (Mailbox.limit, Mailbox.limit),
        (Mailbox.limit + 1, Mailbox.limit / 2),
        (Mailbox.limit * 3 / 2, Mailbox.limit - 1),
    ])
    func `beyond the limit the older half is dropped and counted`(put: Int, kept: Int) {
        let ends = (0..<put).map { Notification.lease("\($0)", .expired) }
        let failures = (0..<put).map { Notification.failure($0) }
        for notifications in [ends, failures] {
            var mailbox = Mailbox()
            for notification in notifications { mailbox.put(notification) }
            #expect(mailbox.dropped == put - kept)
            #expect(mailbox.drain() == Array(notifications.suffix(kept)))
        }
    }

    @Test func `retained notifications are never dropped`() {
        var mailbox = Mailbox()
        let held = (0..<limit * 2).map { Notification.lease("held \($0)", .granted) }
        for notification in held { mailbox.put(notification) }
        for number in 0..<limit * 3 { mailbox.put(.lease("ended \(number)", .released)) }
        let drained = mailbox.drain()
        #expect(Array(drained.prefix(held.count)) == held)
        #expect(drained.count <= held.count + limit)
    }

    @Test func `passing and transient notifications have separate limits`() {
        var mailbox = Mailbox()
        for number in 0..<limit {
            mailbox.put(.failure(number))
            mailbox.put(.lease("\(number)", .released))
        }
        #expect(mailbox.dropped == 0)
        #expect(mailbox.drain().count == 2 * limit)
    }

    @Test func `one key counts once, however often it ends`() {
        var mailbox = Mailbox()
        for _ in 0..<limit * 2 {
            mailbox.put(.lease("a", .granted))
            mailbox.put(.lease("a", .released))
        }
        #expect(mailbox.dropped == 0)
        #expect(mailbox.drain() == [.lease("a", .released)])
    }

    @Test func `a key that is retained again is not passing any more`() {
        var mailbox = Mailbox()
        for number in 0..<limit { mailbox.put(.lease("\(number)", .released)) }
        for number in 0..<100 { mailbox.put(.lease("\(number)", .granted)) }
        for number in 0..<100 { mailbox.put(.lease("new \(number)", .released)) }
        #expect(mailbox.dropped == 0)
        #expect(mailbox.drain().count == limit + 100)
    }

    @Test func `a drain resets the count of dropped notifications`() {
        var mailbox = Mailbox()
        for number in 0...limit { mailbox.put(.failure(number)) }
        #expect(mailbox.dropped > 0)
        _ = mailbox.drain()
        #expect(mailbox.dropped == 0)
    }
}
