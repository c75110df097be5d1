// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization

/// The way of commands to a display of another daemon. Any thread.
struct RemoteDisplay: CommandExecutor {
    let id: DisplayID
    let calls: RemoteCalls

    func submit(_ command: Command, at now: Moment, completion: @escaping DisplayService.Completion) {
        calls.post(RemoteCalls.Call(display: id, command: command, at: now, completion: completion))
    }
}

/// Commands on their way from any thread to the connection's.
final class RemoteCalls: Sendable {
    struct Call: Sendable {
        let display: DisplayID
        let command: Command
        let at: Moment
        let completion: DisplayService.Completion
    }

    /// How many wait for a thread that is at something else; more are refused.
    private static let limit = 4_096

    private struct State {
        var isOpen = false
        var waiting: [Call] = []
    }

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// While there is no connection a command fails at once: nobody may be able to look for a while.
    func open() { state.withLock { $0.isOpen = true } }

    /// - Returns: Those that nobody has taken.
    func close() -> [Call] {
        state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
    }

    func post(_ call: Call) {
        let isTaken = state.withLock { state in
            guard state.isOpen, state.waiting.count < Self.limit else { return false }
            state.waiting.append(call)
            return true
        }
        if isTaken { wake() } else { call.completion(.failure(.unreachable)) }
    }

    func take() -> [Call] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
