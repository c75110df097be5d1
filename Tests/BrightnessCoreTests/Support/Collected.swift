// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Elements collected by callbacks on any thread.
final class Collected<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    var all: [Element] { elements.withLock { $0 } }
    var count: Int { elements.withLock(\.count) }

    func append(_ element: Element) { elements.withLock { $0.append(element) } }

    func removeAll() { elements.withLock { $0 = [] } }

    /// Appends the result of `take` while holding the lock.
    func append(_ take: () -> [Element]) { elements.withLock { $0 += take() } }
}

/// A token that finishes a stream when it is released, so that a test can wait for the release of its owner.
final class Token: Sendable {
    private let end: AsyncStream<Void>.Continuation

    /// The second element finishes once the token is gone. For one reader.
    static func make() -> (Token, gone: AsyncStream<Void>) {
        let (gone, end) = AsyncStream.makeStream(of: Void.self)
        return (Token(end), gone)
    }

    private init(_ end: AsyncStream<Void>.Continuation) { self.end = end }

    deinit { end.finish() }
}

extension AsyncStream<Void> {
    /// Returns when the stream has finished.
    func ended() async { for await _ in self {} }
}
