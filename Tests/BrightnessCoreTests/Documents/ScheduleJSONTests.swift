// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

struct ScheduleJSONTests {
    private func text(_ day: LocalDay) -> String {
        String(decoding: ScheduleReport(schedules: [], isClockSet: true, day: day).json, as: UTF8.self)
    }

    @Test func `a report has the local clock and the sun`() {
        let sun = LocalDay.Sun(sunrise: nil, sunset: Timestamp(milliseconds: 1_795_017_780_000))
        #expect(
            text(LocalDay(utcOffset: -12_600, sun: sun))
                == #"{"clockSet":true,"utcOffset":-12600,"sun":{"sunrise":null,"#
                + #""sunset":"2026-11-18T16:03:00.000Z"},"schedules":[]}"#
        )
        #expect(text(LocalDay()) == #"{"clockSet":true,"utcOffset":0,"sun":null,"schedules":[]}"#)
    }
}
