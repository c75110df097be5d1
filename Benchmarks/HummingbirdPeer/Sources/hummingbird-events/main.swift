import Glibc
// SPDX-License-Identifier: Apache-2.0
// An event stream as it is usually written with Hummingbird: a response body that awaits an AsyncStream of events.
//
//   GET  /v1/events       `retry`, the newest event; then every event
//   PUT  /v1/brightness   the body becomes the data of the next event; answered 204
//
// Prints its address; ends on a signal.
import Hummingbird

/// The newest event, and who waits for the next. As an actor, which is how a Swift program shares such a thing.
actor Publisher {
    private var subscribers: [Int: AsyncStream<ByteBuffer>.Continuation] = [:]
    private var next = 0
    private var revision = 0
    private var newest = ByteBuffer()

    init() { newest = Self.event(1, "{\"brightness\":0.5}") }

    func publish(_ data: String) {
        revision += 1
        newest = Self.event(revision, data)
        for subscriber in subscribers.values { subscriber.yield(newest) }
    }

    func subscribe() -> (number: Int, events: AsyncStream<ByteBuffer>) {
        let (events, continuation) = AsyncStream.makeStream(of: ByteBuffer.self, bufferingPolicy: .bufferingNewest(16))
        next += 1
        subscribers[next] = continuation
        continuation.yield(newest)
        return (next, events)
    }

    func unsubscribe(_ number: Int) { subscribers[number] = nil }

    private static func event(_ revision: Int, _ data: String) -> ByteBuffer {
        ByteBuffer(string: "event: state\nid: 7f3a-\(revision)\ndata: \(data)\n\n")
    }
}

let publisher = Publisher()
let router = Router()

router.get("v1/events") { _, _ in
    Response(
        status: .ok,
        headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
        body: ResponseBody { writer in
            try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
            let (number, events) = await publisher.subscribe()
            do {
                for await event in events { try await writer.write(event) }
                try await writer.finish(nil)
            } catch {
                await publisher.unsubscribe(number)
                throw error
            }
            await publisher.unsubscribe(number)
        }
    )
}

router.put("v1/brightness") { request, _ in
    let body = try await request.body.collect(upTo: 16_384)
    await publisher.publish(String(buffer: body))
    return Response(status: .noContent)
}

let application = Application(
    router: router,
    configuration: .init(address: .hostname("127.0.0.1", port: 0), backlog: 4_096),
    onServerRunning: { channel in
        print("hummingbird-events on http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
        fflush(nil)
    }
)
try await application.runService()
