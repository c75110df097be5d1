// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A thread that runs a loop until it is asked to stop, and that other threads wake. Any thread.
package final class LoopThread: Sendable {
    /// Readable once the loop was woken. The loop waits for it, and silences it.
    package let wakeDescriptor: EventDescriptor
    private let isAskedToStop = Atomic(false)
    /// Opens when the loop has ended.
    package let ended = Latch()

    package init() throws(ThreadError) { wakeDescriptor = try EventDescriptor() }

    /// Starts the thread. Call it once.
    ///
    /// - Parameters:
    ///   - name: At most 15 bytes.
    ///   - loop: Returns soon after `isStopping` is set.
    package func start(named name: String, _ loop: @escaping @Sendable () -> Void) throws(ThreadError) {
        try Thread.start(named: name) {
            loop()
            self.ended.release()
        }
    }

    package var isStopping: Bool { isAskedToStop.load(ordering: .acquiring) }

    /// Wakes the loop. Further calls before the loop silences the descriptor cost one atomic exchange.
    package func wake() { wakeDescriptor.ring() }

    /// Asks the loop to end. Returns at once.
    package func stop() {
        isAskedToStop.store(true, ordering: .releasing)
        wake()
    }
}
