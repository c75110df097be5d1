// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@testable import DaemonRuntime

@Suite struct LogFormatTests {
    /// 2026-11-21T06:00:00.007Z
    private let time = Timestamp(milliseconds: 1_795_240_800_007)

    @Test(arguments: [
        (LogFormat.text, Logger.Level.notice, "2026-11-21T06:00:00.007Z notice: a \"b\" \\\n"),
        (.journal, .notice, "<5>a \"b\" \\\n"),
        (.journal, .critical, "<2>a \"b\" \\\n"),
        (.journal, .trace, "<7>a \"b\" \\\n"),
        (.json, .info, #"{"time":"2026-11-21T06:00:00.007Z","level":"info","message":"a \"b\" \\"}"# + "\n"),
    ])
    func `a line has these bytes`(format: LogFormat, level: Logger.Level, line: String) {
        #expect(format.line(level, "a \"b\" \\", at: time) == line)
    }
}
