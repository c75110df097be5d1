// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension RequestContext {
    /// Executes a command on the displays of the path that the caller may change.
    ///
    /// - Parameters:
    ///   - revisions: Those at which the request's condition holds; `nil` for those that it names.
    ///   - isTagged: Whether the entity tag of the display's state is that of the path's resource.
    func execute(
        _ command: consuming Command,
        onlyAt revisions: Set<Revision>? = nil,
        isTagged: Bool = true
    ) throws(Problem) -> Reply {
        command.requester = caller.requester
        command.by = command.by ?? caller.name
        command.onlyAt = if let revisions { revisions } else { try precondition.revisions(in: backend.service.epoch) }
        let target = target
        let isLarge = backend.isLarge(target, beyond: LargeCommands.fewDisplays)
        let work = CommandWork(
            command,
            isTagged: isTagged,
            on: target,
            within: caller.limit,
            waiting: request.preferredWait,
            // The request is valid only until this returns.
            requestText: backend.surface.logRefusal == nil ? "" : request.logText,
            by: backend
        )
        return isLarge ? try work.replyLater() : try work.reply(in: backend.turn)
    }
}

extension Request {
    /// The time for which the client prefers to wait for a result (`Prefer: wait=N`, RFC 7240), at most 30 seconds.
    fileprivate var preferredWait: Duration? {
        guard let preferences = list("Prefer")?.lowercased() else { return nil }
        for preference in preferences.split(separator: ",") {
            // Such as `wait="10" ; parameter`.
            let text = preference.prefix { $0 != ";" }.filter { !" \t\"".contains($0) }
            if text.hasPrefix("wait="), let seconds = Int(text.dropFirst("wait=".count)) {
                return .seconds(min(max(seconds, 0), 30))
            }
        }
        return nil
    }
}

extension Operation {
    /// Executes a command on the displays of the path.
    static func command(_ command: CommandMethod) -> Operation {
        let method = Method(rawValue: command.verb) ?? .put
        return .write(method, of: .displays) { context throws(Problem) in
            let command = try command.command(from: context.body(isOptional: method == .post))
            try context.caller.require(command.scope)
            return try context.execute(command)
        }
    }
}
