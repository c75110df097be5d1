// SPDX-License-Identifier: Apache-2.0
import Conflation
import Testing

@Suite(.timeLimit(.minutes(1))) struct SignalTests {
    @Test func `however often it is sent before the reader looks, the reader wakes once`() async {
        let (stream, signal) = Signal.makeStream()
        for _ in 0..<3 { signal.send() }
        var wakes = stream.makeAsyncIterator()
        #expect(await wakes.next() != nil)
        let second = Task {
            // A reader that is cancelled gets what is there, and does not wait.
            withUnsafeCurrentTask { $0?.cancel() }
            var wakes = stream.makeAsyncIterator()
            return await wakes.next() != nil
        }
        #expect(await !second.value)
    }

    @Test func `it reports that nobody reads any more`() async {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        var (stream, signal): (AsyncStream<Void>?, Signal) = Signal.makeStream()
        signal.onTermination { end.yield() }
        withExtendedLifetime(stream) {}
        stream = nil
        var ends = ended.makeAsyncIterator()
        #expect(await ends.next() != nil)
    }
}
