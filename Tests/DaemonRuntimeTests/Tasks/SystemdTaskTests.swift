// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DaemonRuntime

@Suite struct SystemdTaskTests {
    private let clock = ManualClock()
    private let log = LogRecorder()
    private let sent = Sent()

    /// The states that systemd received.
    private final class Sent: Sendable {
        let states = Mutex<[String]>([])
        let stuck = Mutex<[DisplayID]>([])
        let checks = Mutex<[Instant]>([])
        let slept = Mutex(Duration.zero)
    }

    private func systemd(watchdog: Duration?, code: Int32 = 1) -> SystemdTask {
        SystemdTask(
            ping: { [sent] in sent.states.withLock { $0.append("ping") } },
            stuckDisplays: { [sent] now in
                sent.checks.withLock { $0.append(now) }
                return sent.stuck.withLock { $0 }
            },
            logger: log.logger,
            send: { [sent] state in
                sent.states.withLock { $0.append(state) }
                return code
            },
            watchdogTimeout: watchdog,
            slept: { [sent] in sent.slept.withLock { $0 } }
        )
    }

    @Test func `the watchdog is notified twice per timeout, after every shard has answered, unless a panel hangs`()
        async throws
    {
        let systemd = systemd(watchdog: .seconds(10))
        let task = Task { [clock] in await systemd.run(on: clock) }
        for isStuck in [false, true, false] {
            #expect(try await clock.nextSleep() == clock.now + .seconds(5))
            sent.stuck.withLock { $0 = isStuck ? [DisplayID("edp")!] : [] }
            clock.advance(by: .seconds(5))
        }
        _ = try await clock.nextSleep()
        task.cancel()
        await task.value
        #expect(sent.states.withLock { $0 } == ["ping", "WATCHDOG=1", "ping", "ping", "WATCHDOG=1"])
        #expect(log.all == ["error edp: the panel hangs; the watchdog of systemd will restart the daemon"])
    }

    @Test func `the time of a suspend does not count for a panel that hangs`() async throws {
        let systemd = systemd(watchdog: .seconds(10))
        let task = Task { [clock] in await systemd.run(on: clock) }
        let start = clock.now
        for slept in [Duration.zero, .seconds(3_600)] {
            _ = try await clock.nextSleep()
            sent.slept.withLock { $0 = slept }
            clock.advance(by: .seconds(5) + slept)
        }
        _ = try await clock.nextSleep()
        task.cancel()
        await task.value
        #expect(sent.checks.withLock { $0 } == [start + .seconds(5), start + .seconds(10)])
    }

    @Test func `without a watchdog nothing runs`() async {
        await systemd(watchdog: nil).run(on: clock)
        #expect(sent.states.withLock { $0 } == [])
    }

    @Test func `systemd is notified of start and stop, and a failed notification is logged`() {
        let systemd = systemd(watchdog: nil, code: -ENOENT)
        systemd.ready()
        systemd.stopping()
        #expect(sent.states.withLock { $0 } == ["READY=1", "STOPPING=1"])
        #expect(log.all.first == "warning cannot send \"READY=1\" to systemd: No such file or directory")
    }
}
