// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A command on one or several displays, and its results. Any thread.
package final class CommandExecution: Sendable {
    /// Whether the response has one entry per display, instead of the entry of the only one.
    package let isList: Bool
    private let command: Command
    private let displays: [DisplayID]
    /// Named displays that do not exist.
    private let missing: [DisplayID]
    private let service: DisplayService
    private let state = Mutex(State())

    private struct State {
        /// In the order of their arrival.
        var finished: [CommandResult] = []
        var completion: (@Sendable () -> Void)?
    }

    init(_ command: Command, on displays: TargetDisplays, of service: DisplayService) {
        self.command = command
        self.displays = displays.states.map(\.id)
        missing = displays.missing
        isList = displays.isList
        self.service = service
    }

    /// Submits the command to each display.
    ///
    /// - Parameter turn: The turn in which it is executed; `nil` to execute it at once.
    package func start(at now: Moment, in turn: CommandTurn? = nil) {
        service.submit(command, to: displays, at: now, in: turn) { id, result in
            self.add(CommandResult(result, of: id, answering: self.command.response, by: self.service))
        }
    }

    /// Submits the command to each display.
    ///
    /// - Parameter completion: Called once on any thread, after the last result; immediately if there are no displays.
    package func start(at now: Moment, completion: @escaping @Sendable () -> Void) {
        start(at: now)
        if !whenFinished(completion) { completion() }
    }

    /// Whether every result is there.
    package var isFinished: Bool { state.withLock { $0.finished.count == displays.count } }

    /// Registers a closure that is called once, on any thread, after the last result. Returns `false`, without
    /// registering, if every result is there.
    package func whenFinished(_ completion: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if state.finished.count == displays.count { return false }
            state.completion = completion
            return true
        }
    }

    private func add(_ result: CommandResult) {
        let completion = state.withLock { state in
            state.finished.append(result)
            return state.finished.count == displays.count ? state.completion.take() : nil
        }
        completion?()
    }

    /// One result per display. A display without a result yet has accepted the command.
    package var results: [CommandResult] {
        let finished = state.withLock(\.finished)
        var known = finished
        // The result of an only display needs no search.
        if displays.count > 1 || finished.isEmpty {
            let byDisplay = Dictionary(finished.map { ($0.display, $0) }) { $1 }
            known = displays.map { id in
                // A display that was removed in between is missing.
                byDisplay[id] ?? service.state(of: id).map { CommandResult(accepted: $0) } ?? CommandResult(missing: id)
            }
        }
        return missing.isEmpty ? known : known + missing.map { CommandResult(missing: $0) }
    }

    /// The problems of the displays on which it failed.
    package var problems: [Problem] {
        results.compactMap { if case .failed(let problem) = $0.outcome { problem } else { nil } }
    }

    /// The problem if the command named one display and failed.
    package var problem: Problem? { isList ? nil : problems.first }

    /// The state of the only display, once it has carried out a command whose response is that.
    package var result: DisplayState? {
        guard !isList, case .done(let new)? = state.withLock({ $0.finished.first?.outcome }) else { return nil }
        return new
    }

    package var response: Result<[UInt8], Problem> { problem.map { .failure($0) } ?? .success(document) }

    /// The response document. That of a list has an entry for each display, so it is expensive.
    package var document: [UInt8] {
        let results = results
        guard !isList, let only = results.first else { return CommandResult.list(results) }
        return only.json
    }
}

/// The result of a command on one display. A class, since it passes through several lists.
package final class CommandResult: Sendable {
    package enum Outcome: Sendable {
        case done(DisplayState)
        case restored(DisplayState, released: Int)
        /// Without a result yet: the panel is slow.
        case accepted(DisplayState)
        case granted(Lease, limitedBy: [DisplayState.Limit])
        case renewed(Lease, limitedBy: [DisplayState.Limit])
        case failed(Problem)
    }

    package let display: DisplayID
    package let outcome: Outcome
    /// A consequence that may surprise the client although the command succeeded.
    private let warning: String?

    init(
        _ result: Result<CommandSuccess, CommandError>,
        of id: DisplayID,
        answering kind: Command.ResponseKind,
        by service: DisplayService
    ) {
        display = id
        var warning: String?
        switch result {
        case .failure(let error):
            outcome = .failed(Problem(error, display: id))
        case .success(let success):
            // A lease that ended already is answered with the state.
            if kind == .lease, let event = success.events.first {
                let limits = success.state.limits(on: event.lease.kind)
                outcome =
                    event.change == .granted
                    ? .granted(event.lease, limitedBy: limits) : .renewed(event.lease, limitedBy: limits)
                warning = CommandResult.warning(of: event.lease, by: service)
            } else {
                outcome =
                    kind == .restored
                    ? .restored(success.state, released: success.released) : .done(success.state)
            }
        }
        self.warning = warning
    }

    init(accepted state: DisplayState) { (display, outcome, warning) = (state.id, .accepted(state), nil) }

    init(missing id: DisplayID) { (display, outcome, warning) = (id, .failed(.displayNotFound(id.text)), nil) }

    private static func warning(of lease: Lease, by service: DisplayService) -> String? {
        guard lease.lifespan == .visible, let holder = lease.holder,
            !service.isPresent(holder, of: lease.principal)
        else { return nil }
        let grace = LeaseTable.grace.components.seconds
        return "The principal \(lease.principal.text) has no event stream or WebSocket open with the holder \(holder). "
            + "Without one the lease ends in \(grace) s; the lifespan custom needs none."
    }

    /// The HTTP status; `status` of the display's entry in a response for several displays.
    package var status: Int {
        switch outcome {
        case .done, .restored, .renewed: 200
        case .granted: 201
        case .accepted: 202
        case .failed(let problem): problem.type.status
        }
    }

    /// Whether the display has carried out the command.
    package var isDone: Bool {
        switch outcome {
        case .done, .restored, .granted, .renewed: true
        case .accepted, .failed: false
        }
    }

    /// The state, the lease or the problem document.
    package var json: [UInt8] {
        switch outcome {
        case .done(let state), .accepted(let state): state.json
        case .restored(let state, let released): state.json(releasing: released)
        case .granted(let lease, let limits), .renewed(let lease, let limits):
            lease.json(limitedBy: limits, warning: warning)
        case .failed(let problem): problem.json
        }
    }

    private var part: DisplayResult<[UInt8]>.Part {
        switch outcome {
        case .done, .restored, .accepted: .state
        case .granted, .renewed: .lease
        case .failed: .problem
        }
    }

    /// The response for several displays.
    package static func list(_ results: [CommandResult]) -> [UInt8] {
        DisplayResult.list(
            results.map { DisplayResult(display: $0.display, status: $0.status, part: $0.part, content: $0.json) }
        )
    }
}
