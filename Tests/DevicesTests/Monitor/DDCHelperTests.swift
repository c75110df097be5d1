// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Devices

/// The client of the helper, over a helper that is a script.
@Suite(.timeLimit(.minutes(3)))
struct DDCHelperTests {
    private let script: ScriptedHelper
    private let helper: DDCHelper
    /// What the client takes for the time since it began.
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

    /// One that is not waited for.
    private func impatient() -> DDCHelper {
        DDCHelper(path: script.path, timeout: .milliseconds(1), now: { [passed] in passed.now })
    }

    @Test func `finds, reads and writes`() throws {
        #expect(try helper.detect() == [DDCHelper.Found(id: id, name: "DELL U2720Q", bus: 5)])
        #expect(try helper.read(id) == DDCHelper.Reading(step: 40, maximum: 100))
        try helper.write(70, to: id)
        #expect(try script.step() == 70)
        #expect(try script.requests().count == 3)
    }

    @Test func `is not started before it is asked`() throws {
        #expect(try script.requests() == [])
        // And then looks for monitors first.
        #expect(try helper.read(id).step == 40)
        #expect(try script.requests().map { $0.contains("detect") } == [true, false])
    }

    @Test func `the highest step is the most it shows`() throws {
        try script.set(300)
        #expect(try helper.read(id) == DDCHelper.Reading(step: 100, maximum: 100))
    }

    @Test(arguments: [
        ("asleep", DeviceError.asleep(path: "ddc:DEL-U2720Q-1")),
        ("absent", .absent(path: "ddc:DEL-U2720Q-1")),
        ("lost", .absent(path: "ddc:DEL-U2720Q-1")),
        ("permission", .permission(path: "/dev/i2c-*")),
        ("failed", .io(path: "ddc:DEL-U2720Q-1", errno: EIO)),
    ])
    func `what the helper says is an error of the device`(word: String, error: DeviceError) throws {
        _ = try helper.detect()
        try script.fails(#"printf '{"error":"\#(word)","number":%s}\n' "$number"; continue"#)
        #expect(throws: error) { try helper.write(70, to: id) }
        // That is an answer, so the helper stays.
        try script.fails(nil)
        #expect(try helper.read(id).step == 40)
    }

    @Test func `one that is lost is searched for once a minute`() throws {
        _ = try helper.detect()
        try script.fails(
            #"case $line in *detect*) ;; *) printf '{"error":"lost","number":%s}\n' "$number"; continue ;; esac"#
        )
        passed.advance(by: .seconds(61))
        for _ in 0..<3 { #expect(throws: DeviceError.self) { try helper.read(id) } }
        #expect(try script.requests().filter { $0.contains("detect") }.count == 2)
    }

    @Test func `one that crashes is started anew, later and later`() throws {
        _ = try helper.detect()
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
        // After that it is trusted again.
        try script.fails("exit 1")
        #expect(throws: DeviceError.self) { try helper.read(id) }
        try script.fails(nil)
        passed.advance(by: .seconds(1))
        #expect(try helper.read(id).step == 40)
    }

    @Test func `one that hangs is killed`() throws {
        let helper = impatient()
        _ = try helper.detect()
        try script.fails(#"case $line in *detect*) ;; *) echo $$ >>"$0.pid"; exec sleep 1000 ;; esac"#)
        #expect(throws: DeviceError.io(path: script.path, errno: ETIMEDOUT)) { try helper.read(id) }
        #expect(throws: DeviceError.io(path: script.path, errno: ETIMEDOUT)) { try helper.read(id) }
    }

    @Test func `during the stop a crash delays no other monitor, and its monitor is not asked again`() throws {
        _ = try helper.detect()
        try script.fails("case $line in *BROKEN*) exit 1 ;; esac")
        let broken = try #require(DisplayID("BROKEN-1"))
        helper.beginStop()
        #expect(throws: DeviceError.io(path: script.path, errno: EPIPE)) { try helper.read(broken) }
        #expect(try helper.read(id).step == 40)
        let before = try script.requests().count
        #expect(throws: DeviceError.io(path: script.path, errno: EPIPE)) { try helper.read(broken) }
        #expect(try script.requests().count == before)
    }

    @Test(arguments: [
        "echo nonsense", #"printf '{"number":%s,"current":-1,"maximum":100}\n' "$number""#, "yes x | head -c 70000",
    ])
    func `nonsense is no brightness`(answer: String) throws {
        _ = try helper.detect()
        try script.fails("\(answer); continue")
        #expect {
            try helper.read(id)
        } throws: { error in
            if case DeviceError.malformed = error { true } else { false }
        }
    }

    @Test func `a late answer is not taken for the answer`() throws {
        _ = try helper.detect()
        try script.fails(#"printf '{"current":99,"maximum":100,"number":%s}\n' $((number - 1))"#)
        #expect(try helper.read(id).step == 40)
    }

    @Test func `there has to be a program`() {
        let helper = DDCHelper(path: "/nonexistent/brightness-ddc")
        #expect(throws: DeviceError.absent(path: "/nonexistent/brightness-ddc")) { try helper.detect() }
    }
}
