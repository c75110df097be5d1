// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization
import TestSupport
import Testing

@testable import MQTTBridge

@Suite struct BrokerLogTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])

        func take() -> [String] {
            all.withLock { all in
                defer { all = [] }
                return all
            }
        }
    }

    @Test func `at most five lines of a subject are written per minute, and the others are counted`() {
        let (time, lines) = (ManualTime(), Lines())
        let log = BrokerLog(now: { time.now }) { line in lines.all.withLock { $0.append(line) } }
        for number in 0..<20_000 { log(.unreadable, "the topic \(number)") }
        log(.retainedCommand, "a retained one")
        for _ in 0..<2 { log(.skippedCommand, "a skipped one") }
        #expect(lines.take() == (0..<5).map { "the topic \($0)" } + ["a retained one", "a skipped one"])
        time.advance(by: .seconds(59))
        log.writeRemainders(at: time.now.instant)
        #expect(lines.take() == [])
        time.advance(by: .seconds(1))
        log(.unreadable, "another")
        let omitted = ["invalid states or leases of other daemons: 19995", "skipped commands: 1"]
        #expect(Set(lines.take()) == Set(omitted.map { "omitted lines about \($0)" } + ["another"]))
    }
}
