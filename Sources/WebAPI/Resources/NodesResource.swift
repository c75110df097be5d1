// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// The daemons whose displays this one mirrors.
    static let nodes = Resource("/v1/nodes", .get(read))
}

/// In the order of their topics, each with its displays and their tags.
private func read(_ context: RequestContext) throws(Problem) -> Reply {
    let states = context.backend.service.all.states.filter { $0.kind == .remote }
    let displays = Dictionary(grouping: states) { $0.id.text.prefix { $0 != ":" } }
    let body = JSONWriter.object { json in
        json.member("nodes", objects: context.backend.source.nodes) { json, node in
            let states = displays[node.name[...]] ?? []
            node.write(to: &json)
            json.member("displays", each: states) { $0.string($1.id.text) }
            json.member("tags", each: Set(states.flatMap(\.tags).map(\.text)).sorted()) { $0.string($1) }
        }
    }
    return context.tagged(body)
}

extension NotificationSource {
    /// The mirrored nodes, in the order of their topics.
    var nodes: [NodeState] {
        let nodes = all(.node).compactMap { if case .node(_, let node) = $0 { node } else { nil } }
        return nodes.sorted { $0.topic < $1.topic }
    }
}
