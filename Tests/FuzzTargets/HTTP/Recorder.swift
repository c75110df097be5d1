// SPDX-License-Identifier: Apache-2.0

@testable import HTTPServer

/// An application that answers every request and records it.
final class Recorder: Application {
    enum Sight: Equatable {
        case request(Seen)
        case refused(RequestError)
    }

    struct Seen: Equatable {
        let method: Method
        let path: String
        let queries: [String]
        let host: String?
        let body: [UInt8]
        let isHTTP10: Bool
        let isHandshake: Bool
    }

    var seen: [Sight] = []

    func reply(to request: Request) -> Reply {
        let sight = Seen(
            method: request.method,
            path: request.path,
            queries: request.queries("a"),
            host: request.header("Host"),
            body: request.body,
            isHTTP10: request.isHTTP10,
            isHandshake: (try? Handshake(request)) != nil
        )
        seen.append(.request(sight))
        return .now(Response(status: 200, body: Array("seen".utf8)))
    }

    func refusal(of error: RequestError) -> Response {
        seen.append(.refused(error))
        return Response(status: 400)
    }

    func takeEvents() -> EventBatch {
        var batch = EventBatch([])
        batch.replacesAll = true
        return batch
    }
    var awaitsEvents: Bool { false }
    func stopObserving() {}
}
