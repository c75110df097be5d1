// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension Resource {
    /// The power of a display, or of all of them.
    static let power = ofDisplays("power", .get(read), .put(set))
}

private func read(_ context: RequestContext) throws(Problem) -> Reply {
    let (backend, target) = (context.backend, context.target)
    if target == .all { return .now(.json(PowerDocument.list(backend.service.all.states.map { PowerDocument($0) }))) }
    return .now(.json(PowerDocument(try backend.commands.state(of: target)).json))
}

private func set(_ context: RequestContext) throws(Problem) -> Reply {
    try context.perform(.power(from: context.body()))
}
