// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    static let settings = Resource("/v1/displays/{id}/settings", .get(read), .write(.put, of: .displays, set))
}

private func read(_ context: RequestContext) throws(Problem) -> Reply {
    let id = try context.backend.commands.state(of: context.target).id
    guard let document = context.settings(of: id) else {
        throw Problem(
            .notFound,
            "The daemon of \(id) has its settings: GET them there. PUT is possible here."
        )
    }
    return context.tagged(document)
}

/// A condition names the settings. It is compared before the command, which fails if the display changes before its
/// turn.
private func set(_ context: RequestContext) throws(Problem) -> Reply {
    let command = try Command.configure(from: context.body())
    try context.caller.require(command.scope)
    let condition = context.precondition
    guard !condition.isEmpty else { return try context.execute(command, isTagged: false) }
    let state = try context.backend.commands.state(of: context.target)
    guard let document = context.settings(of: state.id), condition.holds(for: document) else { throw .changedSince }
    return try context.execute(command, onlyAt: [state.revision], isTagged: false)
}

extension RequestContext {
    /// The settings of a display; `nil` for one of another daemon.
    fileprivate func settings(of id: DisplayID) -> [UInt8]? {
        backend.service.settings(of: id).map { SettingsDocument(id, $0, deviceName: $1).json }
    }
}
