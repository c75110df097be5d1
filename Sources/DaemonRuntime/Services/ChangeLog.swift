// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import Logging

/// Logs at `info` who changed what: changes of baselines, the beginnings and ends of leases, recovery after a crash.
/// Automatic brightness and renewals are `debug`.
///
/// Changes of one display or lease within a moment are one line, the newest: someone who drags a slider changes it 17
/// times a second.
final class ChangeLog: Sendable {
    private static let pause: Duration = .milliseconds(100)
    /// A line about a lease reports the others, except for the states at the start.
    private static let causes: Set<Cause.Kind> = [
        .api, .mqtt, .external, .hotkey, .simulator, .recovered, .schedule, .auto,
    ]

    private let subscriptions: SubscriptionGroup

    /// - Parameter start: When the process was started: older leases continue from an earlier run.
    init(_ source: NotificationSource, since start: Timestamp, _ logger: Logger) {
        guard logger.logLevel <= .info else {
            subscriptions = SubscriptionGroup(source, [])
            return
        }
        subscriptions = SubscriptionGroup(
            source,
            [
                Subscription(to: NotificationFilter([.lease]), rest: Self.rest) { notification in
                    guard case .lease(let event, _) = notification else { return }
                    let (level, text) = Self.line(of: event, since: start)
                    logger.log(level: level, "\(text)")
                },
                Subscription(to: NotificationFilter([.brightness], causedBy: Self.causes), rest: Self.rest) {
                    guard case .brightness(let state) = $0 else { return }
                    let (level, text) = Self.line(of: state)
                    logger.log(level: level, "\(text)")
                },
            ]
        )
    }

    @Sendable private static func rest() async { try? await Task.sleep(for: pause) }

    func end() { subscriptions.end() }

    static func line(of event: LeaseEvent, since start: Timestamp) -> (level: Logger.Level, text: String) {
        let lease = event.lease
        let isEarlier = event.change == .granted && lease.grantedAt.milliseconds < start.milliseconds
        let change = isEarlier ? "continues after a restart" : event.change.rawValue
        let end = event.change.isEnd ? "" : " until \(lease.end?.wall.rfc3339 ?? "released")"
        let brightness = lease.brightness.map { ", \(percent($0))" } ?? ""
        let text =
            "\(lease.display): \(lease.kind.rawValue) \(change)\(brightness)\(end), "
            + who(lease.holder, lease.principal, lease.reason)
        return (event.change == .renewed ? .debug : .info, text)
    }

    static func line(of state: DisplayState) -> (level: Logger.Level, text: String) {
        let cause = state.cause
        let level: Logger.Level = cause.kind == .auto && cause.principal == nil ? .debug : .info
        let shown = state.brightness == state.baseline ? "" : " (shows \(percent(state.brightness)))"
        let power = state.power.baseline ? "" : ", off"
        let caller = cause.principal == nil ? "" : ", " + who(cause.by, cause.principal, cause.reason)
        return (level, "\(state.id): \(percent(state.baseline))\(shown)\(power), \(cause.kind.rawValue)\(caller)")
    }

    private static func percent(_ brightness: Brightness) -> String {
        "\(Int((brightness.fraction * 100).rounded())) %"
    }

    private static func who(_ holder: String?, _ principal: Principal?, _ reason: String?) -> String {
        let owner = principal?.text ?? "the daemon"
        let name = holder.map { $0 == owner ? owner : "\($0) (\(owner))" } ?? owner
        return "by \(name)" + (reason.map { ": \($0)" } ?? "")
    }
}
