// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport

@testable import BrightnessCore

/// A display service over one scripted panel, `.left`; the test runs its queue.
final class DisplayServiceFixture: Sendable {
    let hub = NotificationHub()
    let panel: ScriptedPanel
    let queue = ManualQueue()
    let service: DisplayService

    private let recorded = Collected<BrightnessCore.Notification>()
    private let listener = Collected<Listener>()

    init(
        showing step: Int = 30,
        guard minimum: Int = 0,
        maximum: Int = 100,
        cap: Brightness = .full,
        automatic: AutomaticRules = AutomaticRules(),
        isCheapToRead: Bool = true,
        writesOnce: Bool = false,
        transition: Duration = .zero,
        isSwitchable: Bool = false,
        switchInterval: Duration = .zero,
        canReadPower: Bool? = nil,
        rounding: (@Sendable (Int) -> Int)? = nil,
        goingOnFrom earlier: RecoveredRecord? = nil,
        queueLimit: Int = DisplayService.Configuration.defaultQueueLimit,
        now: (@Sendable () -> Moment)? = nil
    ) throws {
        panel = ScriptedPanel(
            .left,
            range: BrightnessRange(minimum: minimum, maximum: maximum)!,
            step: step,
            isCheapToRead: isCheapToRead,
            writesOnce: writesOnce,
            isSwitchable: isSwitchable,
            switchInterval: switchInterval,
            canReadPower: canReadPower,
            rounding: rounding
        )
        service = try DisplayService(
            [DisplayService.PanelRegistration(panel, on: queue)],
            .init(
                cap: cap,
                transition: transition,
                automatic: automatic,
                earlier: earlier.map { [.left: $0] } ?? [:],
                makeLeaseID: LeaseID.counting(),
                queueLimit: queueLimit,
                now: now
            ),
            poster: hub.poster,
            source: hub.source,
            at: .start
        )
        listener.append(
            hub.source.listen(to: .all) { [recorded, listener] in
                recorded.append { listener.all.flatMap { $0.drain() } }
            }
        )
        for listener in listener.all { _ = listener.drain() }
    }

    deinit { listener.removeAll() }

    var state: DisplayState { service.state(of: .left)! }

    /// Every notification since the start without conflation: a mailbox is drained after every post.
    var posted: [BrightnessCore.Notification] { recorded.all }

    /// Submits a command without running the queue; the results arrive when it runs.
    func submit(
        _ actions: Command.Action...,
        in transition: Duration? = nil,
        onlyAt: Set<Revision>? = nil,
        requester: Requester? = nil,
        at now: Moment = .start
    ) -> Collected<Result<CommandSuccess, CommandError>> {
        let results = Collected<Result<CommandSuccess, CommandError>>()
        for action in actions {
            let command = Command(
                action,
                by: "somebody",
                reason: "test",
                onlyAt: onlyAt,
                transition: transition,
                requester: requester
            )
            service.submit(command, to: .left, at: now) { results.append($0) }
        }
        return results
    }

    /// Submits one command and runs the queue until it is empty.
    @discardableResult
    func perform(
        _ action: Command.Action,
        in transition: Duration? = nil,
        onlyAt: Set<Revision>? = nil,
        at now: Moment = .start
    ) throws(CommandError) -> CommandSuccess {
        let results = submit(action, in: transition, onlyAt: onlyAt, at: now)
        queue.runAll()
        return try results.all[0].get()
    }
}

extension Requester {
    /// A client, whose commands the queue's limit counts.
    static let client = Requester(.anonymous, isAdmin: false)
}

extension LeaseID {
    /// Returns `lease-1`, `lease-2` …, which tests know in advance.
    static func counting() -> @Sendable () -> LeaseID {
        let count = Atomic(0)
        return { LeaseID("lease-\(count.add(1, ordering: .relaxed).newValue)") }
    }

    static func number(_ number: Int) -> LeaseID { LeaseID("lease-\(number)") }
}

extension Command.Action {
    static func set(_ fraction: Double) -> Self { .set(.fraction(.at(fraction))) }

    /// A lease of a kind other than boost.
    static func lease(
        _ kind: LeaseKind,
        _ fraction: Double? = nil,
        by holder: String? = nil,
        for ttl: Duration = .seconds(60)
    ) -> Self {
        .grant(LeaseRequest(kind, at: fraction.map { .fraction(.at($0)) }, ttl: ttl, holder: holder))
    }

    static func boost(_ fraction: Double = 1, by holder: String? = nil, for ttl: Duration = .seconds(60)) -> Self {
        .grant(LeaseRequest(at: .fraction(.at(fraction)), ttl: ttl, holder: holder))
    }
}

extension DeviceError {
    /// The error of a failing driver.
    static let refused = DeviceError.io(path: "/test/brightness", errno: 5)
    static let gone = DeviceError.absent(path: "/test/brightness")
}
