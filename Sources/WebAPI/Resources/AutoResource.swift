// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// Automatic brightness of a display, and what people taught it.
    static let auto = ofDisplays("auto", .get(read), .put(of: .displays, set))
}

private func read(_ context: RequestContext) throws(Problem) -> Reply {
    try context.document { displays, service in
        let documents = displays.states.map { AutomaticDocument($0, lessons: service.lessons(of: $0.id)) }
        return displays.isList ? AutomaticDocument.list(documents) : documents[0].json
    }
}

private func set(_ context: RequestContext) throws(Problem) -> Reply {
    try context.perform(.setAutomatic(from: context.body()))
}
