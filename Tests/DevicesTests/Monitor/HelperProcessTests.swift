// SPDX-License-Identifier: Apache-2.0
import DDCWire
import TestSupport
import Testing

@testable import Devices

@Suite(.timeLimit(.minutes(10))) struct HelperProcessTests {
    @Test func `a suspend during a request does not count as its time`() throws {
        let script = try ScriptedHelper()
        let process = try HelperProcess(path: script.path, sysfsRoot: "/sys")
        var time = ContinuousClock.now
        let answers = try process.ask(
            ["do": .text("detect")],
            within: { .seconds(10) },
            now: {
                // A suspend before each look at the clock.
                time += .seconds(3_600)
                return time
            }
        )
        #expect(answers.count == 2)
    }
}
