// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Notification {
    /// The kinds that clients get.
    static let kindsOfEvents: Set<Kind> = [
        .state, .lease, .ambient, .display, .schedules, .presets, .health, .simulator, .defaultDisplay, .node, .failure,
    ]

    /// The types of their events.
    static let typesOfEvents =
        ["state"] + LeaseKind.allCases.map(\.rawValue) + [
            "ambient", "display", "schedule", "day", "preset", "health", "simulator", "default", "node", "failure",
        ]

    /// The event of the notification; `nil` if clients do not get it.
    ///
    /// Only a display's state has an id. The lease events of the same change precede it, so a client that has seen the
    /// id has seen them too.
    func event(epoch: Epoch) -> Event? {
        switch self {
        case .state(let state):
            Event(
                key: "state/\(state.id)",
                name: "state",
                subject: state.id.text,
                labels: state.tags.map(\.text),
                id: EntityTag(epoch, state.revision).id,
                order: state.revision.number,
                data: state.json
            )
        case .lease(let event, let revision):
            Event(
                // A broker chooses the ids of the leases of mirrored displays.
                key: "lease/\(event.lease.display)/\(event.lease.id.text)",
                name: event.lease.kind.rawValue,
                subject: event.lease.display.text,
                order: revision.number,
                data: event.json,
                isRetained: !event.change.isEnd
            )
        case .display(let id, let change, let revision):
            Event(
                key: "display/\(id)",
                name: "display",
                subject: id.text,
                // Clients that resume need removals only: an added display sends its state.
                order: change == .removed ? revision.number : 0,
                data: JSONWriter.object {
                    $0.member("id", id.text)
                    $0.member("change", change.rawValue)
                },
                isRetained: false,
                endsSubject: change == .removed
            )
        case .ambient(let ambient):
            .current("ambient", ambient.json)
        case .schedules(let report):
            // Each schedule has an event of its own, as each preset has.
            .current("day", report.dayJSON)
        case .health(let health):
            .current("health", health.json)
        case .simulator(let room?):
            .current("simulator", room.json)
        case .simulator(nil):
            // The last simulated display was removed.
            .withdrawal(of: "simulator")
        case .defaultDisplay(let id):
            .current("default", JSONWriter.object { $0.member("id", id?.text) })
        case .node(let topic, let node?):
            .current("node", of: topic, node.json)
        case .node(let topic, nil):
            .removed("node", topic.split(separator: "/").last.map(String.init) ?? topic, topic: topic)
        case .failure(_, .asleep):
            // The next state of the display reports it.
            nil
        case .failure(let id, let error):
            Event(
                key: "failure/\(id)",
                name: "failure",
                subject: id.text,
                // For connected clients only.
                order: 0,
                data: JSONWriter.object {
                    $0.member("display", id.text)
                    $0.member("problem", raw: Problem(.panel(error), display: id).json)
                },
                isRetained: false
            )
        case .sensors, .audience, .following, .activity, .presence, .clockSet, .resumed, .journal, .broker,
            .homeAssistant, .presets, .notice:
            nil
        }
    }
}

extension Event {
    /// An event about the daemon. It has no id: every stream begins with the current one.
    ///
    /// - Parameter thing: The name of the thing that has it, if there are several.
    fileprivate static func current(_ name: String, of thing: String? = nil, _ data: [UInt8]) -> Event {
        Event(key: thing.map { "\(name)/\($0)" } ?? name, name: name, order: .max, data: data)
    }

    /// Withdraws the retained event of a key. Not sent.
    static func withdrawal(of key: String) -> Event { Event(key: key, name: key, isWithdrawal: true) }

    /// The end of a thing, for connected clients only: others notice that no event of it precedes `synced`.
    ///
    /// - Parameter topic: The topic of a node: two nodes may have the same name.
    fileprivate static func removed(_ name: String, _ thing: String, topic: String? = nil) -> Event {
        Event(
            key: "\(name)/\(topic ?? thing)",
            name: name,
            data: JSONWriter.object {
                $0.member("name", thing)
                if let topic { $0.member("topic", topic) }
                $0.member("removed", true)
            },
            isRetained: false
        )
    }
}

/// The presets or the schedules that clients know. Each has events of its own: a change of one costs the bytes of one.
struct ThingEvents<Thing: Document & Equatable> {
    private let type: String
    private let name: (Thing) -> ResourceName
    private var known: [ResourceName: Thing] = [:]

    /// - Parameter type: The type of the events.
    init(_ type: String, name: @escaping (Thing) -> ResourceName) { (self.type, self.name) = (type, name) }

    /// Everything is new to clients again.
    mutating func forget() { known = [:] }

    /// Returns the events of what differs from the last call.
    mutating func change(to things: [Thing]) -> [Event] {
        let new = Dictionary(things.map { (name($0), $0) }) { _, last in last }
        defer { known = new }
        let removed = known.keys.filter { new[$0] == nil }.sorted()
        return removed.map { Event.removed(type, $0.text) }
            + things.filter { known[name($0)] != $0 }.map { Event.current(type, of: name($0).text, $0.json) }
    }
}

extension EventEncoding {
    /// JSON objects: plain in event streams, as notifications of JSON-RPC 2.0 (section 4.1) over WebSockets.
    static let json = EventEncoding(
        resetData: Array("{}".utf8),
        syncedData: Array("{}".utf8),
        data: { event, skipped in event.data.dropLast() + Array(",\"skipped\":\(skipped)}".utf8) },
        message: { event, data in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(data.count + 80)
            bytes += "{\"jsonrpc\":\"2.0\",\"method\":\"\(event.name)\",\"params\":".utf8
            bytes += data
            bytes.append(UInt8(ascii: "}"))
            return bytes
        }
    )
}
