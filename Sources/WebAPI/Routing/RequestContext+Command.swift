// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension RequestContext {
    /// Carries out a command on the displays of the path that the caller may change.
    ///
    /// - Parameters:
    ///   - revisions: Those at which the request's condition holds; `nil` for those that it names.
    ///   - isTagged: Whether the entity tag of the display's state is that of the path's resource.
    func perform(
        _ command: Command,
        answering kind: CommandExecution.ResponseKind = .state,
        onlyAt revisions: Set<Revision>? = nil,
        isTagged: Bool = true
    ) throws(Problem) -> Reply {
        let configuration = backend.configuration
        var command = command
        command.requester = caller.requester
        command.by = command.by ?? caller.name
        command.onlyAt = if let revisions { revisions } else { try precondition.revisions(in: backend.service.epoch) }
        let isLarge = backend.isLarge(target, beyond: LargeCommands.fewDisplays)
        let work = CommandWork(
            command: command,
            kind: kind,
            isTagged: isTagged,
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
}
