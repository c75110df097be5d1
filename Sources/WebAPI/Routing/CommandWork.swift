// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

/// A command of a request with all that it needs on another thread.
struct CommandWork: Sendable {
    /// A change that the panel has not confirmed by then is answered with 202.
    private static let confirmation: Duration = .milliseconds(250)
    /// A boost waits longer, since its response is the lease.
    private static let grant: Duration = .seconds(5)

    let command: Command
    let kind: CommandExecution.ResponseKind
    /// Whether the response has the entity tag of the display's state.
    let isTagged: Bool
    let target: DisplayTarget
    /// The displays that the caller may change; `nil` for every display.
    let limit: DisplaySelector?
    let requestText: String
    let commands: CommandHandler
    let service: DisplayService
    let configuration: Backend.Configuration

    /// Carries out the command on this thread.
    func reply(at now: Moment) throws(Problem) -> Reply {
        let execution = try execution()
        let deferred = Deferred(limit: waitLimit) {
            // 202 without a result yet; the event stream reports the result.
            response(to: execution)
        }
        execution.start(at: now) { end(execution, deferred) }
        return .later(deferred)
    }

    /// Carries out the command on the thread of large ones, and makes its response there.
    func replyLater() throws(Problem) -> Reply {
        let queue = configuration.largeCommands
        let deferred = LargeCommands.deferred()
        try queue.submit {
            do throws(Problem) {
                let execution = try execution()
                queue.enqueue(after: waitLimit) {
                    if !deferred.isAnswered { deferred.complete(response(to: execution)) }
                }
                execution.start(at: configuration.now()) { queue.enqueue { end(execution, deferred) } }
            } catch {
                configuration.logRefusal?(error.logText(requestText))
                deferred.complete(error.response)
            }
        }
        return .later(deferred)
    }

    private var waitLimit: Duration { kind == .lease ? Self.grant : Self.confirmation }

    private func execution() throws(Problem) -> CommandExecution {
        let displays = try commands.displays(of: target, within: limit)
        return try commands.execution(of: command, answering: kind, on: displays)
    }

    private func end(_ execution: CommandExecution, _ deferred: Deferred) {
        if let log = configuration.logRefusal {
            for problem in execution.problems { log(problem.logText(requestText)) }
        }
        // The client has got 202: the document of thousands of displays is not made for nobody.
        if !deferred.isAnswered { deferred.complete(response(to: execution)) }
    }

    private func response(to execution: CommandExecution) -> Response {
        var response = Response(execution, in: service.epoch)
        if !isTagged { response.fields.removeAll { $0.name == "ETag" } }
        response.share()
        return response
    }
}
