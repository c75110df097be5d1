// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// The groups of displays (`--group`).
    static let groups = Resource("/v1/groups", .get(list))

    static let group = Resource("/v1/groups/{group}", .get(read))
}

private func list(_ context: RequestContext) throws(Problem) -> Reply {
    let body = JSONWriter.object { json in
        json.member("groups", objects: context.backend.surface.groups.all) { $1.write(to: &$0) }
    }
    return .now(.json(body))
}

private func read(_ context: RequestContext) throws(Problem) -> Reply {
    let group = try context.backend.commands.group(context.parameter("group") ?? "")
    return try context.document { displays, _ in
        JSONWriter.object { json in
            group.write(to: &json)
            json.member("displays", each: displays.states) { $0.string($1.id.text) }
        }
    }
}

extension DisplayGroup {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("name", name.text)
        json.member("patterns", each: selector.patterns) { $0.string($1.text) }
    }
}
