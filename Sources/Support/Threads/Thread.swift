// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc
import Synchronization

/// Starts a thread that owns what it runs.
package enum Thread {
    private final class Body {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// - Parameter name: At most 15 bytes; shown by `ps -L` and `perf`.
    package static func start(named name: String, _ run: @escaping @Sendable () -> Void) throws(ThreadError) {
        let body = Unmanaged.passRetained(Body(name: name, run: run))
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            nil,
            { context in
                guard let context else { return nil }
                let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                _ = clinux_name_thread(body.name)
                body.run()
                return nil
            },
            body.toOpaque()
        )
        guard code == 0 else {
            body.release()
            throw ThreadError(call: "pthread_create", code: code)
        }
        pthread_detach(thread)
    }
}

/// The system could not create a thread or a descriptor.
package struct ThreadError: Error {
    /// The call that failed, and its error number.
    package let call: String
    package let code: Int32
}

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
