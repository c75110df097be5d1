// SPDX-License-Identifier: Apache-2.0

/// The sending end of a stream that holds one element: several sends before a read wake the reader once.
///
/// Any thread; never blocks.
package struct WakeSignal: Sendable {
    private let continuation: AsyncStream<Void>.Continuation

    /// - Returns: Both ends. The stream has one reader.
    package static func makeStream() -> (stream: AsyncStream<Void>, signal: WakeSignal) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        return (stream, WakeSignal(continuation: continuation))
    }

    package func send() { continuation.yield() }

    /// Calls `body` when the reader is gone: its task was cancelled, or it released the stream.
    package func onTermination(_ body: @escaping @Sendable () -> Void) {
        continuation.onTermination = { _ in body() }
    }
}
