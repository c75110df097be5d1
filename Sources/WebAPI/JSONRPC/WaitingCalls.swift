// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Synchronization

/// The unanswered commands of a WebSocket. Those beyond the write limit wait. Any thread.
final class WaitingCalls: Sendable {
    /// While a call waits, a newer one with the same key replaces it.
    struct Key: Hashable {
        let method: CommandMethod
        let target: DisplayTarget
    }

    struct Call: Sendable {
        let command: Command
        let target: DisplayTarget
        let completion: @Sendable (Result<[UInt8], JSONRPCError>) -> Void
    }

    private struct State {
        var calls: PacedCommands<WriteLimit, Key, Call>
        /// Whether calls are being executed. Another thread must not overtake them.
        var isBusy = false

        var isEmpty: Bool { calls.deadline == nil && !isBusy }
    }

    private let state: Mutex<State>
    let allowance = Mutex(CallAllowance())
    /// The commands that wait for the thread of large commands. Later ones stay behind them.
    let queued = Atomic(0)
    private let caller: Caller
    private let client: ClientAddress
    private let commands: CommandHandler
    private let queue: LargeCommands
    private let now: @Sendable () -> Moment

    init(_ backend: Backend, _ caller: Caller, at client: ClientAddress) {
        (self.caller, self.client) = (caller, client)
        (commands, now) = (backend.commands, backend.surface.now)
        queue = backend.configuration.largeCommands
        state = Mutex(State(calls: PacedCommands(quotas: backend.configuration.writeLimit)))
    }

    /// Whether no call waits or is executed. Later calls must wait otherwise, so that the newest has the last word.
    var isEmpty: Bool { state.withLock(\.isEmpty) }

    /// Executes a call when there is room.
    func enqueue(_ call: Call, under key: Key) {
        let (writer, now) = (Writer(caller, at: client), self.now().instant)
        let (skipped, deadline) = state.withLock { state in
            let isFirst = state.isEmpty
            let skipped = state.calls.add(call, to: writer, as: key, at: now)
            return (skipped, isFirst ? state.calls.deadline : nil)
        }
        if let skipped { skipped.command.completion(.failure(JSONRPCError(skipped.problem))) }
        run(at: deadline)
    }

    /// Executes the calls that have room at a time.
    private func run(at deadline: Instant?) {
        guard let deadline else { return }
        let wait = max(deadline - now().instant, .milliseconds(1))
        queue.enqueue(after: wait) {
            let now = self.now().instant
            let due = self.state.withLock { state in
                let due = state.calls.takeDue(at: now)
                state.isBusy = !due.isEmpty
                return due
            }
            for call in due { self.execute(call) }
            let next = self.state.withLock { state in
                state.isBusy = false
                return state.calls.deadline
            }
            self.run(at: next)
        }
    }

    /// Executes a call on this thread.
    ///
    /// - Parameter isLarge: Whether the thread of large commands makes the response.
    func execute(_ call: Call, isLarge: Bool = false) {
        do throws(Problem) {
            let displays = try commands.displays(of: call.target, within: caller.limit)
            start(try commands.execution(of: call.command, on: displays), of: call, isLarge: isLarge)
        } catch {
            call.completion(.failure(JSONRPCError(error)))
        }
    }

    func start(_ execution: CommandExecution, of call: Call, isLarge: Bool = false) {
        @Sendable func respond() { call.completion(execution.response.mapError { JSONRPCError($0) }) }
        execution.start(at: now()) { [queue] in
            if isLarge { queue.enqueue { respond() } } else { respond() }
        }
    }
}

/// The limits of the unanswered calls of a WebSocket.
///
/// Each call counts once. A call for `all` or a group counts its displays as well: the first may have any number.
/// Another is accepted only if all of them together, the first included, have at most `displayLimit`.
struct CallAllowance {
    static let callLimit = 64
    static let displayLimit = 256

    private var calls = 0
    private var displays = 0

    /// Counts a call.
    ///
    /// - Parameter displays: The number of displays of a call for `all` or a group; 0 for one that names its display.
    /// - Returns: `false`, and counts nothing, if a limit is reached.
    mutating func spend(_ displays: Int) -> Bool {
        let isFirst = self.displays == 0
        guard calls < Self.callLimit, displays == 0 || isFirst || self.displays + displays <= Self.displayLimit else {
            return false
        }
        calls += 1
        self.displays += displays
        return true
    }

    mutating func release(_ displays: Int) {
        calls -= 1
        self.displays -= displays
    }
}
