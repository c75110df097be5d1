// SPDX-License-Identifier: Apache-2.0

/// A listener as an `AsyncSequence`: the synchronous wake feeds a one-place signal, the mailbox keeps what is new.
package struct Notifications: AsyncSequence, Sendable {
    package typealias Element = Notification
    package typealias Failure = Never

    let source: NotificationSource
    let interest: Interest

    package func makeAsyncIterator() -> Iterator {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let listener = source.listen(to: interest) { signal.yield() }
        return Iterator(listener: listener, waiting: listener.drain()[...], signals: signals.makeAsyncIterator())
    }

    package struct Iterator: AsyncIteratorProtocol {
        let listener: Listener
        var waiting: ArraySlice<Notification>
        var signals: AsyncStream<Void>.AsyncIterator

        /// Returns `nil` once the task that reads is cancelled, whatever waits.
        package mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
            while waiting.isEmpty {
                guard await signals.next(isolation: actor) != nil else { return nil }
                waiting = listener.drain()[...]
            }
            return Task.isCancelled ? nil : waiting.popFirst()
        }
    }
}
