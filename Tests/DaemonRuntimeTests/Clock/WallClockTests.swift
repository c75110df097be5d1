// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@testable import DaemonRuntime

@Suite struct WallClockTests {
    private func clock(newest: Int64? = nil, isSynchronized: Bool = false) -> WallClock {
        WallClock(
            newestTime: newest.map { Timestamp(milliseconds: $0) },
            since: moment(release),
            isSynchronized: { isSynchronized }
        )
    }

    private let release = WallClock.release.milliseconds

    /// - Parameter seconds: Since the start of the daemon.
    private func moment(_ milliseconds: Int64, after seconds: Int = 0) -> Moment {
        Moment(
            instant: Instant(sinceBoot: .seconds(60 + seconds)),
            wall: Timestamp(milliseconds: milliseconds)
        )
    }

    @Test func `a time after the release counts as set`() {
        #expect(!clock().isSet(at: moment(0)))
        #expect(!clock().isSet(at: moment(release)))
        #expect(clock().isSet(at: moment(release + 1)))
    }

    @Test func `a time before the newest one of the history does not count as set`() {
        let clock = clock(newest: release + 1_000)
        #expect(!clock.isSet(at: moment(release + 1_000)))
        #expect(clock.isSet(at: moment(release + 1_001)))
    }

    @Test func `a newest time that is later for an hour was wrong`() {
        let clock = clock(newest: .max)
        #expect(!clock.isSet(at: moment(release + 3_599_000, after: 3_599)))
        #expect(clock.isSet(at: moment(release + 3_600_000, after: 3_600)))
    }

    @Test func `a clock that somebody sets counts as set, unless to a time before the release`() {
        let clock = clock(newest: .max)
        clock.wasSet(at: moment(release + 60_000, after: 1))
        #expect(!clock.isSet(at: moment(release, after: 2)))
        #expect(clock.isSet(at: moment(release + 60_000, after: 2)))
    }

    @Test func `the report of a machine that has slept does not count as a jump`() {
        let clock = clock(newest: .max)
        clock.wasSet(at: moment(release + 60_500, after: 60))
        #expect(!clock.isSet(at: moment(release + 61_500, after: 61)))
    }

    @Test func `the log names why schedules wait for the clock, and what to do`() {
        let (hub, log) = (NotificationHub(), LogRecorder())
        let task = ClockTask(
            changes: AsyncStream { $0.finish() },
            clock: clock(newest: release + 1_000),
            poster: hub.poster,
            source: hub.source,
            resumes: ResumeDetector(poster: hub.poster) { .zero },
            logger: log.logger
        )
        task.log(.waiting, after: .none, at: moment(release + 1_000))
        task.log(.running, after: .waiting, at: moment(release + 1_001))
        task.log(.running, after: .none, at: moment(release + 1_001))
        #expect(log.all.count == 2)
        #expect(log.all[0].hasPrefix("warning no schedule is in force: the clock shows 2026-11-01T00:00:01"))
        #expect(log.all[0].contains("sudo date -s") && log.all[1].hasPrefix("notice "))
    }

    @Test func `a clock that the kernel calls synchronized counts as set`() {
        #expect(clock(newest: .max, isSynchronized: true).isSet(at: moment(0)))
    }

    @Test(arguments: ["UTC", "Europe/Berlin", "America/Argentina/Ushuaia"])
    func `names of time zones are known`(name: String) { #expect(LocalTime.exists(name)) }

    @Test(arguments: ["", "Mars", "../etc/passwd", "/etc/localtime", "Europe", "Europe/Berlin\n", "zone.tab"])
    func `other names are no time zones`(name: String) { #expect(!LocalTime.exists(name)) }
}
