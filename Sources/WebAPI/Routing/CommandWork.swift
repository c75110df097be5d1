// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

/// A command of a request with all that it needs on another thread.
///
/// A class, because the closures that wait for its result share it.
final class CommandWork: Sendable {
    /// A change that the panel has not confirmed by then is answered with 202, unless the client prefers to wait.
    private static let confirmation: Duration = .milliseconds(250)
    /// A boost waits longer, since its response is the lease.
    private static let grant: Duration = .seconds(5)

    private let command: Command
    /// Whether the response has the entity tag of the display's state.
    private let isTagged: Bool
    private let target: DisplayTarget
    /// The displays that the caller may change; `nil` for every display.
    private let limit: DisplaySelector?
    private let waitLimit: Duration
    private let requestText: String
    private let commands: CommandHandler
    private let service: DisplayService
    private let cache: CachedResponses
    private let now: @Sendable () -> Moment
    private let queue: LargeCommands
    private let logRefusal: (@Sendable (String) -> Void)?

    init(
        _ command: Command,
        isTagged: Bool,
        on target: DisplayTarget,
        within limit: DisplaySelector?,
        waiting preferredWait: Duration?,
        requestText: String,
        by backend: Backend
    ) {
        self.command = command
        self.isTagged = isTagged
        self.target = target
        self.limit = limit
        waitLimit = preferredWait ?? (command.response == .lease ? Self.grant : Self.confirmation)
        self.requestText = requestText
        (commands, service, cache) = (backend.commands, backend.service, backend.cache)
        now = backend.surface.now
        (queue, logRefusal) = (backend.configuration.largeCommands, backend.surface.logRefusal)
    }

    /// Executes the command on this thread, in its turn.
    func reply(in turn: CommandTurn) throws(Problem) -> Reply {
        let execution = try execution()
        execution.start(at: now(), in: turn)
        if !execution.isFinished {
            // 202 without a result yet; the event stream reports the result.
            let deferred = Deferred(limit: waitLimit, cached: { self.cachedResponse(to: execution) }) {
                self.response(to: execution)
            }
            let isWaiting = execution.whenFinished {
                self.log(execution)
                deferred.complete()
            }
            if isWaiting { return .later(deferred) }
        }
        log(execution)
        return cachedResponse(to: execution).map { .cached($0) } ?? .now(response(to: execution))
    }

    /// The response with the state that the command led to; `nil` for another response. On the shard's thread.
    private func cachedResponse(to execution: CommandExecution) -> CachedResponse? {
        isTagged ? execution.result.map { cache.state($0, in: service.epoch) } : nil
    }

    /// Executes the command on the thread of large ones, and makes its response there.
    func replyLater() throws(Problem) -> Reply {
        let deferred = LargeCommands.deferred(waiting: waitLimit)
        try queue.submit {
            do throws(Problem) {
                let execution = try self.execution()
                self.queue.enqueue(after: self.waitLimit) {
                    if !deferred.isComplete { deferred.complete(self.response(to: execution)) }
                }
                execution.start(at: self.now()) { self.queue.enqueue { self.end(execution, deferred) } }
            } catch {
                self.logRefusal?(error.logText(self.requestText))
                deferred.complete(error.response)
            }
        }
        return .later(deferred)
    }

    private func execution() throws(Problem) -> CommandExecution {
        let displays = try commands.displays(of: target, within: limit)
        return try commands.execution(of: command, on: displays)
    }

    private func log(_ execution: CommandExecution) {
        guard let log = logRefusal else { return }
        for problem in execution.problems { log(problem.logText(requestText)) }
    }

    private func end(_ execution: CommandExecution, _ deferred: Deferred) {
        log(execution)
        // The client has got 202: the document of thousands of displays is not made for nobody.
        if !deferred.isComplete { deferred.complete(response(to: execution)) }
    }

    private func response(to execution: CommandExecution) -> Response {
        var response = Response(execution, in: service.epoch)
        if !isTagged { response.fields.removeAll { $0.name == "ETag" } }
        response.share()
        return response
    }
}
