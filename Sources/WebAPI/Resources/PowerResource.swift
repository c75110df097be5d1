// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// The power of a display, or of all of them.
    static let power = ofDisplays("power", .get(read), .put(of: .displays, set))
}

private func read(_ context: RequestContext) throws(Problem) -> Reply {
    try context.document { displays, _ in
        let documents = displays.states.map { PowerDocument($0) }
        return displays.isList ? PowerDocument.list(documents) : documents[0].json
    }
}

private func set(_ context: RequestContext) throws(Problem) -> Reply {
    try context.perform(.power(from: context.body()))
}
