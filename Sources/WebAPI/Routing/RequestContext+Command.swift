// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension RequestContext {
    /// Carries out a command on the displays of the path that the caller may change.
    func perform(
        _ command: Command,
        answering kind: CommandExecution.ResponseKind = .state
    ) throws(Problem) -> Reply {
        let configuration = backend.configuration
        var command = command
        command.requester = caller.requester
        command.by = command.by ?? caller.name
        command.onlyAt = wantedRevisions
        let isLarge = backend.isLarge(target, beyond: LargeCommands.fewDisplays)
        let work = CommandWork(
            command: command,
            kind: kind,
            target: target,
            limit: caller.limit,
            // The request is valid only until this returns.
            requestText: configuration.logRefusal == nil ? "" : request.logText,
            commands: backend.commands,
            service: backend.service,
            configuration: configuration
        )
        return isLarge ? try work.replyLater() : try work.reply(at: configuration.now())
    }

    /// The revisions in `If-Match`; `nil` if every revision matches.
    private var wantedRevisions: Set<Revision>? {
        let condition = request.list("If-Match").map { Condition($0, in: backend.service.epoch, isStrong: true) }
        return condition?.isAny ?? true ? nil : condition?.revisions
    }
}
