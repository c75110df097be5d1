// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Holds the leases of `idle`. Any thread; `run` submits all commands, so that changes of one display keep their order.
///
/// ```
///   Notification.activity, states, time ──► IdleBoard ──► DisplayService
/// ```
package final class IdleService: Sendable {
    /// When a lease that a display has refused is requested again.
    private static let retryInterval: Duration = .seconds(30)

    private struct State {
        var board: IdleBoard
        /// The leases that displays have refused, and when to request them again.
        var refused: [(kind: LeaseKind, display: DisplayID)] = []
        var retry: Instant?
        /// How long the machine had slept at the last evaluation.
        var slept: Duration

        mutating func forgetRefusals(at now: Instant) {
            guard let retry, retry <= now else { return }
            for (kind, display) in refused { board.forget(kind, on: display) }
            (refused, self.retry) = ([], nil)
        }
    }

    private let displays: DisplayService
    private let submit: DisplayService.Submission
    private let rules: IdleRules
    private let news: Listener
    private let now: @Sendable () -> Moment
    private let slept: @Sendable () -> Duration
    private let state: Mutex<State>
    private let timer = DeadlineTimer()

    /// - Parameters:
    ///   - now: Reads the clocks.
    ///   - slept: Returns how long the machine has slept since it was started. Somebody wakes it, so that is activity.
    ///   - submit: Takes the commands; the displays themselves by default.
    package init(
        _ displays: DisplayService,
        _ rules: IdleRules,
        source: NotificationSource,
        now: @escaping @Sendable () -> Moment,
        slept: @escaping @Sendable () -> Duration,
        submit: DisplayService.Submission? = nil
    ) {
        self.displays = displays
        self.submit = submit ?? displays.submit
        self.rules = rules
        self.now = now
        self.slept = slept
        state = Mutex(State(board: IdleBoard(rules, at: now().instant), slept: slept()))
        let filter = NotificationFilter([.activity, .brightness, .display], ofThisMachine: true)
        news = source.listen(to: filter) { [timer] in
            timer.set(for: Instant(sinceBoot: .zero))
        }
    }

    /// Grants leases in time and ends them with activity, until the task is cancelled.
    package func run<C: Clock<Duration>>(on clock: C) async where C.Instant == Instant {
        timer.set(for: Instant(sinceBoot: .zero))
        for await _ in timer.rings {
            timer.answer()
            timer.sleep(until: evaluate(), on: clock)
        }
    }

    /// Grants and ends leases.
    ///
    /// - Returns: When to evaluate again.
    func evaluate() -> Instant? {
        let (news, now, slept) = (news.drain(), now(), slept())
        let known = known
        let (actions, next) = state.withLock { state in
            let isUsed = news.contains { if case .activity = $0 { true } else { false } }
            if isUsed || slept - state.slept > .seconds(1) { state.board.take(activityAt: now.instant) }
            state.slept = slept
            state.forgetRefusals(at: now.instant)
            let actions = state.board.evaluate(at: now.instant, displays: known)
            let deadlines = [state.board.nextDeadline(after: now.instant), state.retry]
            return (actions, deadlines.compactMap { $0 }.min())
        }
        for action in actions { carryOut(action, at: now) }
        return next
    }

    /// The displays of this machine.
    private var known: [IdleBoard.Display] {
        let present = Set(displays.own.map(\.id))
        return displays.ownIDs.compactMap { displays.state(of: $0) }.map { state in
            IdleBoard.Display(
                id: state.id,
                isPresent: present.contains(state.id),
                isSwitchable: state.power.isSwitchable,
                isInUse: [state.boost, state.wake].contains { $0.map { !$0.isOverridden } ?? false }
            )
        }
    }

    private func carryOut(_ action: IdleBoard.Action, at now: Moment) {
        submit(action.command(by: rules), action.display, now) { [weak self] result in
            guard let self, case .grant(let kind, let display) = action else { return }
            switch result {
            case .success: state.withLock { $0.refused.removeAll { $0.kind == kind && $0.display == display } }
            case .failure(let error) where error.isPassing:
                retry(kind, on: display, at: now.instant + Self.retryInterval)
            case .failure: break
            }
        }
    }

    private func retry(_ kind: LeaseKind, on display: DisplayID, at instant: Instant) {
        state.withLock { state in
            state.refused.append((kind, display))
            state.retry = instant
        }
        timer.set(for: instant)
    }
}

extension Command {
    /// Ends the leases of `idle`.
    package static var endOfIdle: Command {
        var command = Command(.restore(holder: ReservedHolder.idle), by: ReservedHolder.idle)
        command.channel = .idle
        return command
    }
}

extension IdleBoard.Action {
    fileprivate var display: DisplayID {
        switch self {
        case .grant(_, let display), .end(let display): display
        }
    }

    fileprivate func command(by rules: IdleRules) -> Command {
        guard case .grant(let kind, _) = self else { return .endOfIdle }
        // The next start ends it, should the daemon crash.
        let brightness = kind == .dim ? rules.dim?.brightness : nil
        let holder = ReservedHolder.idle
        var command = Command(
            .grant(LeaseRequest(kind, brightness: brightness, lifespan: .lifetime, holder: holder)),
            by: holder
        )
        command.channel = .idle
        return command
    }
}
