// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import BrightnessCore

extension DisplayID {
    static let left = DisplayID("left")!
    static let right = DisplayID("right")!
}

extension Brightness {
    static func at(_ fraction: Double) -> Brightness { Brightness(clamping: fraction) }
}

extension Cause {
    static let test = Cause(.api, by: "test", at: Moment.start.wall)
}

extension DisplayState {
    /// A display's state with this revision.
    static func of(
        _ id: DisplayID = .left,
        at fraction: Double = 0.5,
        revision: UInt64 = 1,
        kind: DisplayKind = .simulated,
        tags: [DisplayTag] = []
    ) -> DisplayState {
        DisplayState(
            id: id,
            name: "Test display",
            kind: kind,
            range: BrightnessRange(maximum: 100)!,
            brightness: .at(fraction),
            baseline: .at(fraction),
            step: Int(fraction * 100),
            automatic: .off,
            cause: .test,
            revision: Revision(revision),
            tags: tags
        )
    }
}

extension Lease {
    static func of(
        _ id: String,
        _ kind: LeaseKind = .boost,
        on display: DisplayID = .left,
        isOverridden: Bool = false
    ) -> Lease {
        Lease(
            id: LeaseID(id),
            kind: kind,
            display: display,
            holder: id,
            grantedAt: Moment.start.wall,
            brightness: kind.defaultBrightness,
            reason: nil,
            lifespan: .custom,
            end: .after(.seconds(60)),
            isOverridden: isOverridden
        )
    }
}

/// Short forms of the notifications that tests post.
extension BrightnessCore.Notification {
    static func state(_ id: DisplayID, _ revision: UInt64) -> Self { .state(.of(id, revision: revision)) }

    static func lease(
        _ id: String,
        _ change: LeaseChange,
        on display: DisplayID = .left,
        at revision: UInt64 = 1
    ) -> Self {
        .lease(LeaseEvent(.of(id, on: display), change), at: Revision(revision))
    }

    static func display(_ id: DisplayID, _ change: ListChange) -> Self { .display(id, change, at: Revision(1)) }

    /// A transient notification with a distinguishable payload.
    static func failure(_ number: Int) -> Self { .failure(.left, .io(path: "/test", errno: Int32(number))) }

    var displayState: DisplayState? { if case .state(let state) = self { state } else { nil } }

    var leaseEvent: LeaseEvent? { if case .lease(let event, _) = self { event } else { nil } }

    var revision: UInt64? {
        switch self {
        case .state(let state): state.revision.number
        case .lease(_, let revision): revision.number
        default: nil
        }
    }
}

extension NotificationFilter {
    /// Includes every notification.
    static let all = NotificationFilter(Set(BrightnessCore.Notification.Kind.allCases))
}

extension Notifications.Iterator {
    /// The next element, read in the caller's isolation.
    mutating func read() async -> BrightnessCore.Notification? { await next(isolation: #isolation) }

    /// The next state or lease of a display.
    mutating func read(of id: DisplayID) async -> BrightnessCore.Notification? {
        while let notification = await read() {
            if (notification.displayState?.id ?? notification.leaseEvent?.lease.display) == id { return notification }
        }
        return nil
    }
}
