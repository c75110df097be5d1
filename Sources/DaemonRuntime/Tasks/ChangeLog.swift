// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization

/// Logs at `info` who changed what: changes of baselines, the beginnings and ends of leases, what a start continues.
/// Automatic brightness and renewals are `debug`.
///
/// Changes of one display or lease within a moment are one line, the newest: someone who drags a slider changes it 17
/// times a second. Of many different changes within a moment the first are logged, the others counted.
final class ChangeLog: Sendable {
    private struct Line {
        let level: Logger.Level
        /// Costs more than the decision whether to log it.
        let text: () -> String
    }

    private static let pause: Duration = .milliseconds(100)
    /// The causes whose states are logged, and their words. The others have lines about leases and panels, except at
    /// the start.
    private static let origins: [Cause.Kind: String] = [
        .api: "", .mqtt: " over MQTT", .external: " outside the daemon", .hotkey: " by a brightness key",
        .simulator: " in the simulated room", .recovered: " after a restart", .schedule: "", .follow: "",
        .auto: " by automatic brightness", .settings: "",
    ]

    private let subscriptions: SubscriptionGroup

    /// - Parameter start: When the process was started: older leases continue from an earlier run.
    init(_ source: NotificationSource, since start: Timestamp, _ logger: Logger) {
        guard logger.level <= .info else {
            subscriptions = SubscriptionGroup(source)
            return
        }
        subscriptions = SubscriptionGroup(
            source,
            Self.subscription(to: NotificationFilter([.lease]), logger) { notification in
                guard case .lease(let event, _) = notification else { return nil }
                return Self.line(of: event, since: start)
            },
            Self.subscription(to: NotificationFilter([.state], causedBy: Set(Self.origins.keys)), logger) {
                guard case .state(let state) = $0 else { return nil }
                return Self.line(of: state)
            }
        )
    }

    private static func subscription(
        to filter: NotificationFilter,
        _ logger: Logger,
        line: @escaping @Sendable (Notification) -> Line?
    ) -> Subscription {
        let moment = Mutex(LoggedMoment())
        return Subscription(
            to: filter,
            rest: {
                let others = moment.withLock { $0.end() }
                if others > 0 { logger.info("\(others) more changes") }
                try? await Task.sleep(for: pause)
            },
            handler: { notification in
                guard let line = line(notification), line.level >= logger.level, moment.withLock({ $0.add() })
                else { return }
                logger.log(level: line.level, "\(line.text())")
            }
        )
    }

    func end() { subscriptions.end() }

    private static func line(of event: LeaseEvent, since start: Timestamp) -> Line {
        Line(level: event.change == .renewed ? .debug : .info) {
            let lease = event.lease
            let isEarlier = event.change == .granted && lease.grantedAt.milliseconds < start.milliseconds
            let change = isEarlier ? "continues after a restart" : event.change.rawValue
            let end = event.change.isEnd ? "" : " until \(lease.end?.wall.rfc3339 ?? "released")"
            let brightness = lease.brightness.map { " of \(percent($0))" } ?? ""
            return "\(lease.display): \(lease.kind.rawValue)\(brightness) \(change)\(end), "
                + "\(event.change.isEnd ? "of" : "by") \(name(lease.holder, lease.principal, lease.reason))"
        }
    }

    private static func line(of state: DisplayState) -> Line {
        let cause = state.cause
        return Line(level: cause.kind == .auto && cause.principal == nil ? .debug : .info) {
            let isOn = state.power.isOn ?? state.power.baseline
            let shown = state.brightness == state.baseline ? "" : " (shows \(percent(state.brightness)))"
            let level = "\(percent(state.baseline))\(isOn ? shown : " (off)")"
            let set = state.isDimmable ? "set to \(level)" : "switched \(isOn ? "on" : "off")"
            let change =
                switch cause.kind {
                case .settings: "named \"\(state.name)\", with the curve \(state.range.curve.text()),"
                case .auto where cause.principal != nil:
                    "automatic brightness switched \(state.automatic.isEnabled ? "on" : "off") at \(level)"
                // It may have begun or ended a lease.
                case .schedule: "at \(level)"
                case .follow: "\(set) like \(cause.by ?? "its leader")"
                default: "\(set)\(origins[cause.kind] ?? "")"
                }
            let caller = cause.principal.map { " by " + name(cause.by, $0, cause.reason) } ?? ""
            return "\(state.id): \(change)\(caller)"
        }
    }

    private static func percent(_ brightness: Brightness) -> String {
        "\(Int((brightness.fraction * 100).rounded())) %"
    }

    private static func name(_ holder: String?, _ principal: Principal?, _ reason: String?) -> String {
        let owner = principal?.text ?? "the daemon"
        let name = holder.map { $0 == owner ? owner : "\($0) (\(owner))" } ?? owner
        return name + (reason.map { ": \($0)" } ?? "")
    }
}

/// Limits the lines about the changes of one moment. A client can take thousands of leases in a second.
struct LoggedMoment {
    static let limit = 32

    private var changes = 0

    /// Counts a change. Returns whether it is logged.
    mutating func add() -> Bool {
        changes += 1
        return changes <= Self.limit
    }

    /// Ends the moment. Returns how many of its changes were not logged.
    mutating func end() -> Int {
        defer { changes = 0 }
        return max(changes - Self.limit, 0)
    }
}
