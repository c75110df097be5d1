// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Devices

/// The client of the helper, over a helper that is a script.
@Suite(.timeLimit(.minutes(10)))
struct DDCHelperTests {
    private let script: ScriptedHelper
    private let helper: DDCHelper
    /// The time since the start, as the client sees it.
    private let passed = Passed()
    private let id: DisplayID

    final class Passed: Sendable {
        private let duration = Mutex(Duration.zero)
        private let begin = ContinuousClock.now

        var now: ContinuousClock.Instant { begin + duration.withLock { $0 } }

        func advance(by more: Duration) { duration.withLock { $0 += more } }
    }

    init() throws {
        script = try ScriptedHelper()
        helper = DDCHelper(path: script.path, now: { [passed] in passed.now })
        id = try #require(DisplayID("DEL-U2720Q-1"))
    }

    /// A delay that is recorded instead of slept.
    private func impatient() -> DDCHelper {
        DDCHelper(path: script.path, timeout: .milliseconds(1), now: { [passed] in passed.now })
    }

    @Test func `the helper finds, reads and writes monitors`() throws {
        #expect(try helper.search().found == [DDCHelper.Found(id: id, name: "DELL U2720Q", bus: 5)])
        #expect(try helper.read(id) == DDCHelper.Reading(step: 40, maximum: 100))
        #expect(try helper.write(70, to: id) == nil)
        #expect(try script.step() == 70)
        #expect(try script.requests().count == 3)
    }

    @Test func `the helper is started at the first request`() throws {
        #expect(try script.requests() == [])
        // The first request is for the list of monitors.
        #expect(try helper.read(id).step == 40)
        #expect(try script.requests().map { $0.contains("detect") } == [true, false])
    }

    @Test func `the maximum of a monitor is its highest step`() throws {
        try script.set(300)
        #expect(try helper.read(id) == DDCHelper.Reading(step: 100, maximum: 100))
    }

    @Test(arguments: [
        ("asleep", DeviceError.asleep(path: "ddc:DEL-U2720Q-1")),
        ("absent", .absent(path: "ddc:DEL-U2720Q-1")),
        ("moved", .absent(path: "ddc:DEL-U2720Q-1")), ("lost", .io(path: "ddc:DEL-U2720Q-1", errno: ENODEV)),
        ("permission", .permission(path: "/dev/i2c-*")),
        ("failed", .io(path: "ddc:DEL-U2720Q-1", errno: EIO)),
    ])
    func `an error word of the helper is mapped to a device error`(word: String, error: DeviceError) throws {
        _ = try helper.search()
        try script.fails(#"printf '{"error":"\#(word)","number":%s}\n' "$number"; continue"#)
        #expect(throws: error) { try helper.write(70, to: id) }
        // An error word is a response, so the helper is not restarted.
        try script.fails(nil)
        #expect(try helper.read(id).step == 40)
    }

    private func answers(_ error: String) -> String {
        #"case $line in *detect*) ;; *) printf '{"error":"\#(error)","number":%s}\n' "$number"; continue ;; esac"#
    }

    @Test func `a lost monitor is searched for with growing pauses, and one that has moved at once`() throws {
        func searches() throws -> Int { try script.requests().filter { $0.contains("detect") }.count }
        _ = try helper.search()
        try script.fails(answers("lost"))
        for (count, pause) in [5, 10, 20, 40, 80, 160, 320, 600, 600].enumerated() {
            passed.advance(by: .seconds(pause) - .milliseconds(1))
            #expect(throws: DeviceError.io(path: "ddc:\(id)", errno: ENODEV)) { try helper.read(id) }
            #expect(try searches() == count + 1)
            passed.advance(by: .milliseconds(1))
            #expect(throws: DeviceError.io(path: "ddc:\(id)", errno: ENODEV)) { try helper.read(id) }
            #expect(try searches() == count + 2)
        }
        try script.fails(answers("moved"))
        #expect(throws: DeviceError.absent(path: "ddc:\(id)")) { try helper.read(id) }
        #expect(try searches() == 11)
        // After another answer the pauses begin again.
        try script.fails(answers("asleep"))
        #expect(throws: DeviceError.asleep(path: "ddc:\(id)")) { try helper.read(id) }
        try script.fails(answers("lost"))
        passed.advance(by: .seconds(5))
        #expect(throws: DeviceError.self) { try helper.read(id) }
        #expect(try searches() == 12)
    }

    @Test func `a lost monitor is read at once when a search has found it`() throws {
        _ = try helper.search()
        passed.advance(by: .seconds(5))
        let lost = #"printf '{"error":"lost","number":%s}\n' "$number"; continue"#
        // The request after the first read is the search.
        try script.fails("case $line in *detect*) lost=no ;; *) [ \"$lost\" ] || { \(lost); } ;; esac")
        #expect(try helper.read(id).step == 40)
    }

    @Test func `a search names each known id and its address`() throws {
        let other = try #require(DisplayID("GSM-1"))
        let helper = DDCHelper(path: script.path, known: [other: "DP-2@6", id: ""])
        #expect((helper.lastFound(other)?.name, helper.lastFound(other)?.bus) == ("GSM-1", 6))
        _ = try helper.search()
        #expect(try script.requests().last?.contains(#""known":"DEL-U2720Q-1 GSM-1@DP-2@6""#) == true)
        try script.fails(
            #"""
            printf '{"bus":5,"monitor":"DEL-U2720Q-1","name":"DELL","place":"DP-1@5","number":%s}\n' "$number"
            printf '{"connectors":"unanswered","done":true,"number":%s}\n' "$number"; continue
            """#
        )
        #expect(try helper.search().isComplete == false)
        #expect(helper.lastFound(id)?.address == "DP-1@5")
        try script.fails(nil)
        #expect(try helper.search().isComplete == nil)
        #expect(try script.requests().last?.contains("DEL-U2720Q-1@DP-1@5 GSM-1@DP-2@6") == true)
    }

    @Test func `a crashing helper is restarted with growing delays`() throws {
        _ = try helper.search()
        try script.fails("exit 1")
        for wait in [1, 2, 4, 8, 16, 32, 60, 60] {
            let before = try script.requests().count
            #expect(throws: DeviceError.io(path: script.path, errno: EPIPE)) { try helper.read(id) }
            #expect(try script.requests().count == before + 1)
            passed.advance(by: .seconds(wait) - .milliseconds(1))
            #expect(throws: DeviceError.io(path: script.path, errno: EPIPE)) { try helper.read(id) }
            #expect(try script.requests().count == before + 1)
            passed.advance(by: .milliseconds(1))
        }
        try script.fails(nil)
        #expect(try helper.read(id).step == 40)
        // After a success the delay is reset.
        try script.fails("exit 1")
        #expect(throws: DeviceError.self) { try helper.read(id) }
        try script.fails(nil)
        passed.advance(by: .seconds(1))
        #expect(try helper.read(id).step == 40)
    }

    @Test func `a hanging helper is killed`() throws {
        let helper = impatient()
        _ = try helper.search()
        try script.fails(#"case $line in *detect*) ;; *) echo $$ >>"$0.pid"; exec sleep 1000 ;; esac"#)
        #expect(throws: DeviceError.io(path: script.path, errno: ETIMEDOUT)) { try helper.read(id) }
        #expect(throws: DeviceError.io(path: script.path, errno: ETIMEDOUT)) { try helper.read(id) }
    }

    @Test func `beyond three helpers that the kernel keeps no other is started`() throws {
        let end = passed.now + .seconds(3_600)
        let hasEnded = { @Sendable [passed] (_: Int32) in passed.now >= end }
        let helper = DDCHelper(path: script.path, now: { [passed] in passed.now }, hasEnded: hasEnded)
        try script.fails("exit 1")
        for count in [1, 2, 3, 3, 3] {
            #expect(throws: DeviceError.io(path: script.path, errno: EPIPE)) { try helper.search() }
            #expect(try script.requests().count == count)
            passed.advance(by: .seconds(60))
        }
        passed.advance(by: .seconds(3_600))
        try script.fails(nil)
        #expect(try helper.search().found.count == 1)
    }

    @Test func `during the stop a crash delays no other monitor, and its monitor is not requested again`() throws {
        _ = try helper.search()
        try script.fails("case $line in *BROKEN*) exit 1 ;; esac")
        let broken = try #require(DisplayID("BROKEN-1"))
        helper.beginStop()
        #expect(throws: DeviceError.io(path: script.path, errno: EPIPE)) { try helper.read(broken) }
        #expect(try helper.read(id).step == 40)
        let before = try script.requests().count
        #expect(throws: DeviceError.io(path: script.path, errno: EPIPE)) { try helper.read(broken) }
        #expect(try script.requests().count == before)
    }

    @Test func `the stop does not shorten a search`() throws {
        let helper = DDCHelper(path: script.path, stopTimeout: .milliseconds(1))
        helper.beginStop()
        #expect(try helper.search().found.map(\.id) == [id])
    }

    @Test(arguments: [
        "echo nonsense", #"printf '{"number":%s,"current":-1,"maximum":100}\n' "$number""#, "yes x | head -c 70000",
    ])
    func `an invalid response is malformed`(answer: String) throws {
        _ = try helper.search()
        try script.fails("\(answer); continue")
        #expect {
            try helper.read(id)
        } throws: { error in
            guard case DeviceError.malformed = error else { return false }
            return true
        }
    }

    @Test func `an answer with too many monitors is rejected`() throws {
        try script.fails(
            #"""
            while :; do printf '{"monitor":"X","name":"X","bus":1,"number":%s}\n' "$number"; done
            """#
        )
        #expect(throws: DeviceError.malformed(path: script.path, text: "answer too long")) { try helper.search() }
    }

    @Test func `a helper that floods with other answers is timed out`() throws {
        let helper = impatient()
        _ = try helper.search()
        try script.fails(#"case $line in *detect*) ;; *) exec yes '{"number":0}' ;; esac"#)
        #expect(throws: DeviceError.io(path: script.path, errno: ETIMEDOUT)) { try helper.read(id) }
    }

    @Test func `a monitor's name has no control characters`() throws {
        try script.fails(
            #"""
            printf '{"monitor":"X","name":"\\u001b[31mred\\u0007","bus":1,"number":%s}\n' "$number"
            printf '{"done":true,"number":%s}\n' "$number"; continue
            """#
        )
        #expect(try helper.search().found.map(\.name) == [#"\u{1b}[31mred\u{7}"#])
    }

    @Test func `a late response is not used for the next request`() throws {
        _ = try helper.search()
        try script.fails(#"printf '{"current":99,"maximum":100,"number":%s}\n' $((number - 1))"#)
        #expect(try helper.read(id).step == 40)
    }

    @Test func `a missing helper program is reported`() {
        let helper = DDCHelper(path: "/nonexistent/brightness-ddc")
        #expect(throws: DeviceError.absent(path: "/nonexistent/brightness-ddc")) { try helper.search() }
    }
}
