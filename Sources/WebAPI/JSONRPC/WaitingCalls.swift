// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Support
import Synchronization

/// The commands of a WebSocket beyond the write limit. Of those of one method for the same displays only the newest
/// waits, so the last value of a stream is always carried out. Any thread.
final class WaitingCalls: Sendable {
    /// While a call waits, a newer one of the same kind replaces it.
    struct Kind: Hashable {
        let method: CommandMethod
        let target: DisplayTarget
    }

    struct Call: Sendable {
        let command: Command
        let kind: CommandExecution.ResponseKind
        let completion: @Sendable (Result<[UInt8], JSONRPCError>) -> Void
    }

    private struct State {
        var calls = ConflatingQueue<Kind, Call>()
        /// Whether a call is being carried out. Another thread must not overtake it.
        var isBusy = false
    }

    private let state = Mutex(State())
    private let caller: Caller
    private let client: ClientAddress
    private let commands: CommandHandler
    private let configuration: Backend.Configuration

    init(_ backend: Backend, _ caller: Caller, at client: ClientAddress) {
        (self.caller, self.client) = (caller, client)
        (commands, configuration) = (backend.commands, backend.configuration)
    }

    /// Whether later calls must wait as well, so that the newest has the last word.
    var isEmpty: Bool { state.withLock { $0.calls.isEmpty && !$0.isBusy } }

    /// Keeps a call until there is room.
    ///
    /// - Parameter problem: Answers the call that this one replaces.
    func keep(_ call: Call, as kind: Kind, _ problem: Problem) {
        let (replaced, isFirst) = state.withLock { state in
            let isFirst = state.calls.isEmpty && !state.isBusy
            return (state.calls.append(call, for: kind), isFirst)
        }
        replaced?.completion(.failure(JSONRPCError(problem)))
        if isFirst { runLater() }
    }

    private func runLater() {
        let now = configuration.now().instant
        let room = configuration.writeLimit.room(caller, at: client, now: now)
        configuration.largeCommands.enqueue(after: max(room - now, .milliseconds(1))) { self.run() }
    }

    /// Carries out the calls that have room.
    private func run() {
        while !isEmpty {
            guard (try? configuration.writeLimit.count(caller, at: client, now: configuration.now)) != nil else {
                return runLater()
            }
            let next = state.withLock { state in
                let next = state.calls.popFirst()
                state.isBusy = next != nil
                return next
            }
            guard let (kind, call) = next else { return }
            do throws(Problem) {
                let displays = try commands.displays(of: kind.target, within: caller.limit)
                let execution = try commands.execution(of: call.command, answering: call.kind, on: displays)
                execution.start(at: configuration.now()) {
                    call.completion(execution.answer.mapError { JSONRPCError($0) })
                }
            } catch {
                call.completion(.failure(JSONRPCError(error)))
            }
            state.withLock { $0.isBusy = false }
        }
    }
}
