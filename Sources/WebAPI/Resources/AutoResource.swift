// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension Resource {
    /// Automatic brightness of a display, and what people taught it.
    static let auto = ofDisplays("auto", .get(read), .put(set))
}

private func read(_ context: RequestContext) throws(Problem) -> Reply {
    let (service, target) = (context.backend.service, context.target)
    func document(of state: DisplayState) -> AutomaticDocument {
        AutomaticDocument(state, lessons: service.lessons(of: state.id))
    }
    if target == .all { return .now(.json(AutomaticDocument.list(service.all.states.map(document)))) }
    return .now(.json(document(of: try context.backend.commands.state(of: target)).json))
}

private func set(_ context: RequestContext) throws(Problem) -> Reply {
    try context.perform(.setAutomatic(from: context.body()))
}
