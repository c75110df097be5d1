// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@testable import DaemonRuntime

@Suite struct WallClockTests {
    private func clock(newest: Int64? = nil, isSynchronized: Bool = false) -> WallClock {
        WallClock(newestTime: newest.map { Timestamp(milliseconds: $0) }, isSynchronized: { isSynchronized })
    }

    private let release = WallClock.release.milliseconds

    @Test func `a time after the release counts as set`() {
        #expect(!clock().isSet(at: Timestamp(milliseconds: 0)))
        #expect(!clock().isSet(at: Timestamp(milliseconds: release)))
        #expect(clock().isSet(at: Timestamp(milliseconds: release + 1)))
    }

    @Test func `a time before the newest one of the history does not count as set`() {
        let clock = clock(newest: release + 1_000)
        #expect(!clock.isSet(at: Timestamp(milliseconds: release + 1_000)))
        #expect(clock.isSet(at: Timestamp(milliseconds: release + 1_001)))
    }

    @Test func `a clock that the kernel calls synchronized counts as set`() {
        #expect(clock(newest: .max, isSynchronized: true).isSet(at: Timestamp(milliseconds: 0)))
    }

    @Test(arguments: ["UTC", "Europe/Berlin", "America/Argentina/Ushuaia"])
    func `names of time zones are known`(name: String) { #expect(LocalTime.exists(name)) }

    @Test(arguments: ["", "Mars", "../etc/passwd", "/etc/localtime", "Europe", "Europe/Berlin\n", "zone.tab"])
    func `other names are no time zones`(name: String) { #expect(!LocalTime.exists(name)) }
}
