// SPDX-License-Identifier: Apache-2.0

import Load

/// Looks at what the daemon sends, so that the peers can send as much.
struct Rehearsal {
    let event, message: ObservedEvent
    let document: DocumentShape

    /// - Throws: When the daemon does not do what the measurements rest on; the message says what came instead.
    init(_ daemon: Brightnessd) throws {
        (event, message, document) = try Server.run(daemon, on: nil) { server in
            var control = try ControlConnection(port: server.port)
            let answer = try control.exchange(daemon.state).response
            let document = DocumentShape(
                length: answer.bodyLength,
                contentType: answer.contentType ?? "application/octet-stream"
            )
            let event = try Self.event(of: daemon, server)
            return (event, try Self.event(of: daemon.withWebSockets, server), document)
        }
    }

    private static func event(of daemon: Brightnessd, _ server: Server) throws -> ObservedEvent {
        let step = 555
        let crowd = try StreamCrowd(port: server.port, daemon.kind, request: daemon.stream, capacity: 1)
        try crowd.grow(to: 1)
        var changer = try Changer(daemon, port: server.port)
        try changer.change(crowd)
        var control = try ControlConnection(port: server.port)
        crowd.expectChange()
        _ = try control.exchange(daemon.change(to: step))
        try crowd.awaitEvent(showing: Change.mark(step))
        guard let event = ObservedEvent(data: crowd.newestData, step: step) else {
            throw LoadError.unexpected(answer: String(decoding: crowd.newestData, as: UTF8.self))
        }
        return event
    }
}

extension Rehearsal {
    /// For runs without the daemon.
    static let example = Rehearsal(event: .example, message: .example, document: .example)

    private init(event: ObservedEvent, message: ObservedEvent, document: DocumentShape) {
        (self.event, self.message, self.document) = (event, message, document)
    }
}
