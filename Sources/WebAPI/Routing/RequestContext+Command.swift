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
        var command = command
        command.requester = caller.requester
        command.by = command.by ?? caller.name
        command.onlyAt = if let revisions { revisions } else { try precondition.revisions(in: backend.service.epoch) }
        let isLarge = backend.isLarge(target, beyond: LargeCommands.fewDisplays)
        let work = CommandWork(
            command,
            answering: kind,
            isTagged: isTagged,
            on: target,
            within: caller.limit,
            // The request is valid only until this returns.
            requestText: backend.configuration.logRefusal == nil ? "" : request.logText,
            by: backend.commands,
            of: backend.service,
            backend.configuration
        )
        return isLarge ? try work.replyLater() : try work.reply()
    }
}
