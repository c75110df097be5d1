// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization

/// Forwards commands to a display of another daemon. Any thread.
struct RemoteDisplay: CommandExecutor {
    let id: DisplayID
    let calls: MirrorCalls

    var batches: (any BatchExecutor)? { calls }

    func submit(_ command: Command, at now: Moment, completion: @escaping DisplayService.Completion) {
        calls.post(MirrorCalls.Call(display: id, command: command, at: now, completion: completion))
    }
}

/// The queue of forwarded commands, from any thread to the connection's.
final class MirrorCalls: BatchExecutor {
    struct Call: Sendable {
        let display: DisplayID
        let command: Command
        let at: Moment
        let completion: DisplayService.Completion
        /// Equal for the calls of one command for several displays; they are queued one after the other.
        var batch: UInt64?
    }

    private struct State {
        var isOpen = false
        var waiting: [Call] = []
        var lastBatch: UInt64 = 0
    }

    private let limit: Int
    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    /// - Parameter limit: The most queued commands, one for each mirrored display; further ones are rejected.
    init(limit: Int, wake: @escaping @Sendable () -> Void) {
        self.limit = limit
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

    func post(_ call: Call) { post([call]) }

    func submit(
        _ command: Command,
        to displays: [DisplayID],
        at now: Moment,
        completion: @escaping DisplayService.ListCompletion
    ) {
        let batch = state.withLock { state in
            state.lastBatch += 1
            return state.lastBatch
        }
        post(
            displays.map { id in
                Call(display: id, command: command, at: now, completion: { completion(id, $0) }, batch: batch)
            }
        )
    }

    private func post(_ calls: [Call]) {
        let isQueued = state.withLock { state in
            guard state.isOpen, state.waiting.count + calls.count <= limit else { return false }
            state.waiting += calls
            return true
        }
        guard !isQueued else { return wake() }
        for call in calls { call.completion(.failure(.unreachable)) }
    }

    func take() -> [Call] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
