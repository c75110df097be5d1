// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import Documents
import HTTPServer

extension Resource {
    /// The settings of one display, such as its name.
    static let settings = Resource("/v1/displays/{id}/settings", .get(read), .put(of: .displays, set))
}

private func read(_ context: RequestContext) throws(Problem) -> Reply {
    let state = try context.backend.commands.state(of: context.target)
    guard let (settings, deviceName) = context.backend.service.settings(of: state.id) else {
        throw Problem(
            .notFound,
            "The daemon of \(state.id) has its settings: GET them there. PUT is possible here."
        )
    }
    return .now(.json(SettingsDocument(state.id, settings, deviceName: deviceName).json))
}

private func set(_ context: RequestContext) throws(Problem) -> Reply {
    let command = try Command.configure(from: context.body())
    try context.caller.require(command.scope)
    return try context.perform(command)
}
