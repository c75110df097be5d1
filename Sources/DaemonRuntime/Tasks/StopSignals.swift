// SPDX-License-Identifier: Apache-2.0
import Glibc
import Support

/// The handler of SIGTERM, SIGINT and SIGHUP. From its creation on, they do not end the process by themselves.
///
/// The signals are blocked for this thread and all that it starts; one thread receives them. Create it before any other
/// thread, and before the daemon can be reached or changes a display.
///
/// - SeeAlso: sigwait(3)
final class StopSignals: Sendable {
    /// The time limit of a start after SIGTERM. A panel that hangs must not keep the daemon from ending.
    private static let startLimit: Duration = .seconds(2)

    /// One element for one or more SIGHUPs since the previous element.
    let hangups: AsyncStream<Void>
    private let hasStarted = Latch()
    private let isStopRequested = Latch()

    init() throws(ThreadError) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let (hangups, hangup) = WakeSignal.makeStream()
        self.hangups = hangups
        try Thread.start(named: "signals") { [signals, hasStarted, isStopRequested] in
            var signals = signals
            var isStopping = false
            while true {
                var number: Int32 = 0
                guard sigwait(&signals, &number) == 0 else { continue }
                if number == SIGHUP {
                    hangup.send()
                } else if !isStopping {
                    isStopping = true
                    isStopRequested.release()
                    var limit = Countdown(Self.startLimit)
                    // Nothing was raised yet, and the next start restores what an earlier run left raised.
                    if !hasStarted.wait(within: &limit) { _exit(EXIT_SUCCESS) }
                }
            }
        }
    }

    /// Reports the end of the start, and waits until the daemon has to stop.
    func awaitStop() {
        hasStarted.release()
        isStopRequested.wait()
    }
}
