// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

@Suite(.timeLimit(.minutes(10))) struct WakeSignalTests {
    @Test func `several sends before a read wake the reader once`() async {
        let (stream, signal) = WakeSignal.makeStream()
        for _ in 0..<3 { signal.send() }
        var wakes = stream.makeAsyncIterator()
        #expect(await wakes.next() != nil)
        let second = Task {
            // A cancelled reader gets the waiting element and does not wait.
            withUnsafeCurrentTask { $0?.cancel() }
            var wakes = stream.makeAsyncIterator()
            return await wakes.next() != nil
        }
        #expect(await !second.value)
    }

    @Test func `the end of the last reader is reported`() async {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        var (stream, signal): (AsyncStream<Void>?, WakeSignal) = WakeSignal.makeStream()
        signal.onTermination { end.yield() }
        withExtendedLifetime(stream) {}
        stream = nil
        var ends = ended.makeAsyncIterator()
        #expect(await ends.next() != nil)
    }
}
