// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization
import Testing

@testable import HTTPServer
@testable import WebAPI

/// The calls to a client, and its answers.
@Suite struct CallingProviderTests {
    /// The calls that the client received, and how they ended, in this order.
    private final class Record: Sendable {
        let sent = Mutex<[String]>([])
        let ended = Mutex<[String]>([])
    }

    private let record: Record
    private let provider: CallingProvider
    private let page = DisplayID("page")!
    private let relay = DisplayID("relay")!

    init() {
        let record = Record()
        let channel = WebSocketChannel { frame in
            record.sent.withLock { $0.append(String(decoding: frame, as: UTF8.self)) }
        }
        (self.record, provider) = (record, CallingProvider(channel))
    }

    /// Calls the client; the call's end is recorded with its name.
    private func apply(_ name: String, to id: DisplayID) {
        let target = ProvidedTarget(brightness: .full, step: 100, isOn: true)
        provider.apply(target, to: id) { [record] isDone in record.ended.withLock { $0.append("\(name) \(isDone)") } }
    }

    private func answer(_ id: Int) throws -> Bool {
        let text = #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#
        let value = try JSONValue.parse(Array(text.utf8))
        return provider.receive(try #require(JSONRPCResponse(value)))
    }

    private var ended: [String] { record.ended.withLock { $0 } }

    @Test func `an answer ends its call`() throws {
        apply("first", to: page)
        apply("second", to: relay)
        #expect(try answer(2))
        #expect(ended == ["second true"])
        #expect(try answer(1))
        #expect(ended == ["second true", "first true"])
        #expect(try !answer(3))
    }

    @Test func `a new call for a display drops the unanswered one, whose answer counts for nothing`() throws {
        apply("first", to: page)
        apply("other", to: relay)
        apply("second", to: page)
        #expect(ended == ["first false"])
        #expect(try answer(1))
        #expect(ended == ["first false"])
        #expect(try answer(3))
        #expect(ended == ["first false", "second true"])
    }

    @Test func `a display that is withdrawn has no call any more`() throws {
        apply("first", to: page)
        provider.forget(page)
        #expect(ended == ["first false"])
        apply("second", to: relay)
        provider.withdrawn(relay)
        #expect(ended == ["first false", "second false"])
        let sent = record.sent.withLock { $0.last }
        let notification = #"{"jsonrpc":"2.0","method":"withdrawn","params":{"display":"relay"}}"#
        #expect(sent?.hasSuffix(notification) == true)
    }

    @Test func `a client that is gone is not called`() {
        apply("first", to: page)
        provider.end()
        apply("second", to: page)
        #expect(ended == ["first false", "second false"])
        #expect(record.sent.withLock { $0.count } == 1)
    }
}
