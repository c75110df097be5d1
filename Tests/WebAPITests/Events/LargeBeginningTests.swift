// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct LargeBeginningTests {
    @Test func `a stream begins with every display, and no turn takes them all`() async throws {
        let daemon = try ServedApplication(displays: 2_000)
        let client = try daemon.client()
        client.get("/v1/events?types=state")
        var text = ""
        while text.count(of: "event: state") < 2_000 { text += try client.receive(until: "\n\n") }
        #expect(Set(text.matches(of: /"id":"panel-\d+"/).map(\.output)).count == 2_000)
        #expect(daemon.batches.reduce(0, +) >= 2_000)
        #expect(daemon.batches.allSatisfy { $0 <= 512 })
        // A stream that comes later begins with the same.
        let other = try daemon.client()
        other.get("/v1/events?types=state")
        var same = ""
        while same.count(of: "event: state") < 2_000 { same += try other.receive(until: "\n\n") }
        await daemon.stop()
    }

    @Test func `a stream with too many pending bytes is closed, which is logged`() async throws {
        let daemon = try ServedApplication(displays: 1_000, waitingBytes: 4_096)
        let client = try daemon.client(receiveBuffer: 2_048)
        client.get("/v1/events?types=state")
        var warnings = daemon.warnings.makeAsyncIterator()
        let line = await warnings.next()
        #expect(
            line == "closed 1 stream: more bytes were pending for all clients than allowed, and theirs were the most"
        )
        await daemon.stop()
    }
}

extension String {
    fileprivate func count(of part: String) -> Int {
        split(separator: part, omittingEmptySubsequences: false).count - 1
    }
}
