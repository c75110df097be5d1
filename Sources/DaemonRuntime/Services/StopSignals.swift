// SPDX-License-Identifier: Apache-2.0
import Conflation
import Glibc
import Threads

/// SIGTERM, SIGINT and SIGHUP, which end the process no more from the moment on at which this is made.
///
/// They are blocked, for this thread and all that it starts, and one thread takes them. Make it before any other thread and
/// before anything can be reached or changed.
///
/// - SeeAlso: sigwait(3)
final class StopSignals: Sendable {
    /// How long a start may go on after SIGTERM. A panel that hangs must not keep the daemon from ending.
    private static let startLimit: Duration = .seconds(2)

    /// One element for the SIGHUPs since the last one.
    let hangups: AsyncStream<Void>
    private let isStarted = Latch()
    private let isAsked = Latch()

    init() throws(ThreadError) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let (hangups, hangup) = Signal.makeStream()
        self.hangups = hangups
        try Thread.start(named: "signals") { [signals, isStarted, isAsked] in
            var signals = signals
            var isStopping = false
            while true {
                var number: Int32 = 0
                guard sigwait(&signals, &number) == 0 else { continue }
                if number == SIGHUP {
                    hangup.send()
                } else if !isStopping {
                    isStopping = true
                    isAsked.release()
                    var limit = Countdown(Self.startLimit)
                    // Nothing was raised yet, and the next start puts right what an earlier run left.
                    if !isStarted.wait(within: &limit) { _exit(EXIT_SUCCESS) }
                }
            }
        }
    }

    /// The start is over: waits until the daemon is to stop.
    func awaitStop() {
        isStarted.release()
        isAsked.wait()
    }
}
