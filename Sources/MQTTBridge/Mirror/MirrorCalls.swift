// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization

/// The queue of forwarded commands, from any thread to the connection's, and the limit of those under way.
///
/// A command counts once for each of its displays, from its submission to its result: daemons that do not answer must
/// not cost memory without limit. The renewals of this daemon are not limited.
final class MirrorCalls: CommandExecutor {
    /// A command for one or more displays.
    struct Call: Sendable {
        let command: Command
        let displays: [DisplayID]
        let at: Moment
        /// Called once for each display, by `finish` only.
        fileprivate let completion: DisplayService.ListCompletion
    }

    private struct State {
        var isOpen = false
        var waiting: [Call] = []
        var underWay: [Principal: Int] = [:]
        /// Under way for all principals together.
        var count = 0
    }

    /// The maximum number of calls under way for one principal: one for each mirrored display.
    private let share: Int
    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    /// - Parameter share: The maximum number of calls under way for one principal; twice as many for all, so that no
    ///   principal can use them up.
    init(share: Int, wake: @escaping @Sendable () -> Void) {
        self.share = share
        self.wake = wake
    }

    /// Accepts commands. Without a connection a command fails immediately.
    func open() { state.withLock { $0.isOpen = true } }

    /// Rejects further commands.
    ///
    /// - Returns: The commands that were not sent.
    func close() -> [Call] {
        state.withLock { state in
            defer { (state.isOpen, state.waiting) = (false, []) }
            return state.waiting
        }
    }

    func hasRoom(for count: Int, of principal: Principal) -> Bool {
        state.withLock { hasRoom(for: count, of: principal, in: $0) }
    }

    private func hasRoom(for count: Int, of principal: Principal, in state: borrowing State) -> Bool {
        state.count + count <= 2 * share && (state.underWay[principal] ?? 0) + count <= share
    }

    func submit(
        _ command: Command,
        to displays: [DisplayID],
        at now: Moment,
        completion: @escaping DisplayService.ListCompletion
    ) {
        let call = Call(command: command, displays: displays, at: now, completion: completion)
        let refusal: CommandError? = state.withLock { state in
            guard state.isOpen else { return .unreachable }
            guard hasRoom(for: displays.count, of: command.principal, in: state) else { return .busy }
            begin(call, in: &state)
            state.waiting.append(call)
            return nil
        }
        guard let refusal else { return wake() }
        for id in displays { completion(id, .failure(refusal)) }
    }

    /// Counts a renewal of this daemon, which the caller sends.
    func beginRenewal(_ command: Command, on display: DisplayID, at now: Moment) -> Call {
        let call = Call(command: command, displays: [display], at: now) { _, _ in }
        state.withLock { begin(call, in: &$0) }
        return call
    }

    private func begin(_ call: Call, in state: inout State) {
        state.underWay[call.command.principal, default: 0] += call.displays.count
        state.count += call.displays.count
    }

    func finish(_ call: Call, on display: DisplayID, _ result: Result<CommandSuccess, CommandError>) {
        let principal = call.command.principal
        // First: the client that gets the result may send its next command at once.
        state.withLock { state in
            state.count -= 1
            let left = (state.underWay[principal] ?? 1) - 1
            state.underWay[principal] = left > 0 ? left : nil
        }
        call.completion(display, result)
    }

    func take() -> [Call] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
