// SPDX-License-Identifier: Apache-2.0
import MQTT
import Synchronization

/// What other threads want published: answers of panels. Any thread.
final class Mail: Sendable {
    private let waiting = Mutex<[Publication]>([])
    private let wake: @Sendable () -> Void

    /// - Parameter wake: Tells the bridge to look.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func post(_ publication: Publication) {
        waiting.withLock { waiting in
            waiting.append(publication)
            // Whoever waits for an answer so long has given up.
            if waiting.count > Outbox.limit { waiting.removeFirst(Outbox.limit / 2) }
        }
        wake()
    }

    func take() -> [Publication] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
