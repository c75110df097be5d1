// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization

/// Forwards commands to a display of another daemon. Any thread.
struct RemoteDisplay: CommandExecutor {
    let id: DisplayID
    let calls: MirrorCalls

    func submit(_ command: Command, at now: Moment, completion: @escaping DisplayService.Completion) {
        calls.post(MirrorCalls.Call(display: id, command: command, at: now, completion: completion))
    }
}

/// The queue of forwarded commands, from any thread to the connection's.
final class MirrorCalls: Sendable {
    struct Call: Sendable {
        let display: DisplayID
        let command: Command
        let at: Moment
        let completion: DisplayService.Completion
    }

    /// The most queued commands; further ones are rejected.
    private static let limit = 4_096

    private struct State {
        var isOpen = false
        var waiting: [Call] = []
    }

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Accepts commands. Without a connection a command fails immediately.
    func open() { state.withLock { $0.isOpen = true } }

    /// Rejects further commands.
    ///
    /// - Returns: The commands that were not sent.
    func close() -> [Call] {
        state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
    }

    func post(_ call: Call) {
        let isQueued = state.withLock { state in
            guard state.isOpen, state.waiting.count < Self.limit else { return false }
            state.waiting.append(call)
            return true
        }
        if isQueued { wake() } else { call.completion(.failure(.unreachable)) }
    }

    func take() -> [Call] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
