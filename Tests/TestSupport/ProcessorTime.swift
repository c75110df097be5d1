// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The processor time that this thread spends on a task. Other programs do not change it.
package func processorTime(of task: () -> Void) -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let start = now()
    task()
    return now() - start
}
