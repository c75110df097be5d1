// SPDX-License-Identifier: Apache-2.0

import Load

/// Looks at what the daemon sends, so that the peers can send as much.
struct Rehearsal {
    let events: [ObservedEvent]
    let document: DocumentShape

    /// - Throws: When the daemon does not do what the measurements rest on; the message says what came instead.
    init(_ peer: some EventPeer & StatePeer) throws {
        let server = try Server(peer, on: nil)
        defer { server.stop() }
        do {
            let crowd = try StreamCrowd(port: server.port, request: peer.stream, capacity: 1)
            try crowd.grow(to: 1)
            var changer = try Changer(peer, port: server.port)
            events = try peer.changes.map { change in
                _ = try changer.change(crowd)
                return ObservedEvent(data: crowd.newestData, mark: change.mark)
            }
            var control = try ControlConnection(port: server.port)
            let answer = try control.exchange(peer.state).response
            document = DocumentShape(
                length: answer.bodyLength,
                contentType: answer.contentType ?? "application/octet-stream"
            )
        } catch let error as LoadError {
            throw BenchError.failed(peer.name, reason: error, said: server.lastWords)
        }
    }
}
