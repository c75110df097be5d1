// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

struct PresenceTests {
    private var presence = Presence(wakingFor: .seconds(60))

    private mutating func evaluate(after seconds: Int, isNear: Bool? = nil) -> Wanted {
        if let isNear { presence.receive(.presence(isNear: isNear), at: .after(.seconds(seconds))) }
        return presence.evaluate(
            Situation(now: .after(.seconds(seconds)), isClockSet: true, displays: [.init(id: .left)])
        )
    }

    /// The end of the wake in seconds after the start.
    private mutating func end(after seconds: Int, isNear: Bool? = nil) -> Duration? {
        guard case .lease(.wake, _, let end?) = evaluate(after: seconds, isNear: isNear).wishes.first?.effect else {
            return nil
        }
        return end - Moment.start.instant
    }

    @Test mutating func `a wake lasts while somebody is near, and for its time afterwards`() {
        #expect(end(after: 0) == nil)
        #expect(end(after: 1, isNear: true) == .seconds(61))
        #expect(end(after: 30) == .seconds(61))
        #expect(end(after: 31) == .seconds(91))
        #expect(end(after: 32, isNear: false) == .seconds(92))
        #expect(end(after: 91) == .seconds(92))
        #expect(end(after: 92) == nil)
    }

    @Test mutating func `the next evaluation extends the wake, or is at its end`() {
        #expect(evaluate(after: 0).next == nil)
        #expect(evaluate(after: 0, isNear: true).next == Moment.after(.seconds(30)).instant)
        #expect(evaluate(after: 10, isNear: false).next == Moment.after(.seconds(70)).instant)
        #expect(evaluate(after: 70).next == nil)
    }

    @Test mutating func `somebody who returns during the wake has not arrived again`() {
        let first = evaluate(after: 0, isNear: true).wishes
        _ = evaluate(after: 5, isNear: false)
        #expect(evaluate(after: 10, isNear: true).wishes.map(\.episode) == first.map(\.episode))
        _ = evaluate(after: 11, isNear: false)
        #expect(evaluate(after: 80, isNear: true).wishes.map(\.episode) != first.map(\.episode))
    }

    @Test mutating func `the same report again does not extend the wake`() {
        _ = evaluate(after: 0, isNear: true)
        _ = evaluate(after: 1, isNear: false)
        #expect(end(after: 20, isNear: false) == .seconds(61))
    }
}
