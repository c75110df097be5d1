// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Notification {
    /// The notification as an event on the wire; `nil` for those that clients are not told.
    ///
    /// Only a display's state has an id. The lease events of the same change go before it, so whoever has seen the id
    /// has seen them all.
    func event(epoch: Epoch) -> Event? {
        switch self {
        case .brightness(let state):
            Event(
                key: "brightness/\(state.id)",
                name: "brightness",
                subject: state.id.text,
                id: EntityTag(epoch, state.revision).id,
                order: state.revision.number,
                data: state.json
            )
        case .boost(let event, let revision):
            Event(
                key: "boost/\(event.lease.id.text)",
                name: "boost",
                subject: event.lease.display.text,
                id: nil,
                order: revision.number,
                data: event.json,
                isRetained: !event.change.isEnd
            )
        case .display(let id, let change):
            Event(
                key: "display/\(id)",
                name: "display",
                subject: id.text,
                id: nil,
                order: 0,
                data: JSONWriter.object {
                    $0.member("id", id.text)
                    $0.member("change", change.rawValue)
                },
                isRetained: false,
                endsSubject: change == .removed
            )
        case .ambient(let ambient):
            // No id of a client tells whether it has it: whoever comes gets it.
            Event(key: "ambient", name: "ambient", subject: nil, id: nil, order: .max, data: ambient.json)
        case .audience, .journal, .broker, .failure:
            nil
        }
    }
}
