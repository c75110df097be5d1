// SPDX-License-Identifier: Apache-2.0
import Glibc
import HTTPServer

/// A WebSocket echo server over the daemon's own WebSockets, for conformance tests.
///
/// Prints its address on standard output, and ends with its standard input.
@main struct WebSocketEcho {
    static func main() async throws {
        guard let address = ListenAddress("127.0.0.1:0") else { return }
        let server = try Server(Server.Configuration(address: address)) { _ in Echo() }
        print(server.address)
        fflush(nil)
        while readLine() != nil {}
        await server.stop(within: .seconds(1))
    }
}

private final class Echo: Application, WebSocketHandler {
    /// The largest message of the Autobahn cases has 16 MiB.
    let rules = MessageRules(longest: 16_777_216, takesBinary: true)

    func receive(_ message: Message) -> MessageOutcome { MessageOutcome(.now(message)) }

    let awaitsEvents = false

    func takeEvents() -> EventBatch { EventBatch([]) }

    func stopObserving() {}

    func refusal(of error: RequestError) -> Response { Response(status: 400) }

    func reply(to request: Request) -> Reply {
        do throws(Handshake.Fault) {
            let stream = StreamRequest(filter: EventFilter())
            return .webSocket(WebSocketRequest(try Handshake(request), self, stream: stream))
        } catch {
            return .now(Response(status: 426, fields: Handshake.wanted))
        }
    }
}
