// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What callbacks on any thread have put together.
final class Collected<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    var all: [Element] { elements.withLock { $0 } }
    var count: Int { elements.withLock(\.count) }

    func append(_ element: Element) { elements.withLock { $0.append(element) } }

    func removeAll() { elements.withLock { $0 = [] } }

    /// Appends what `take` returns before anybody else may take something.
    func append(_ take: () -> [Element]) { elements.withLock { $0 += take() } }
}

/// Ends a stream when it is let go, so that a test can wait for the end of whatever holds it.
final class Token: Sendable {
    private let end: AsyncStream<Void>.Continuation

    /// The second element ends once the token is gone. One reader.
    static func make() -> (Token, gone: AsyncStream<Void>) {
        let (gone, end) = AsyncStream.makeStream(of: Void.self)
        return (Token(end), gone)
    }

    private init(_ end: AsyncStream<Void>.Continuation) { self.end = end }

    deinit { end.finish() }
}

extension AsyncStream<Void> {
    /// Returns when the stream has ended.
    func ended() async { for await _ in self {} }
}
