// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Runs `body(0)` … `body(count - 1)` on their own threads, and returns when all are done.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let threads = (0..<count).compactMap { index in
        var thread = pthread_t()
        let job = Unmanaged.passRetained(ThreadJob { body(index) })
        let status = pthread_create(&thread, nil, runThreadJob, job.toOpaque())
        precondition(status == 0, "no thread: \(status)")
        return thread
    }
    for thread in threads { pthread_join(thread, nil) }
}

private final class ThreadJob: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThreadJob(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<ThreadJob>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
