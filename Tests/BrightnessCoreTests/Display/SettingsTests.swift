// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// The settings of a display. Its panel shows 30 of 100.
@Suite(.timeLimit(.minutes(10)))
struct SettingsTests {
    private let fixture: DisplayServiceFixture

    init() throws { fixture = try DisplayServiceFixture(showing: 30) }

    private func name(_ name: String?) throws {
        try fixture.perform(.configure(DisplaySettings.Change(name: .some(name.map { DisplayName($0)! }))))
    }

    @Test func `a name is published with its cause, and the panel is not written`() throws {
        let own = fixture.state.name
        try name("Left")
        #expect(
            (fixture.state.name, fixture.state.cause.kind, fixture.state.cause.by) == ("Left", .settings, "somebody")
        )
        let state = fixture.state
        try name("Left")
        #expect(fixture.state == state)
        try name(nil)
        #expect(fixture.state.name == own)
        #expect(fixture.panel.writes == [])
    }

    @Test func `a change without a name keeps it`() throws {
        try name("Left")
        try fixture.perform(.configure(DisplaySettings.Change()))
        #expect(fixture.state.name == "Left")
    }

    @Test(arguments: ["a", "夜", "50 % dim?", "Left/right", "a\u{301}", String(repeating: "ö", count: 64)])
    func `a name is what a person writes`(text: String) { #expect(DisplayName(text)?.text == text) }

    @Test(arguments: [
        "", " ", " a", "a ", "a\u{A0}", "a\tb", "a\u{7F}", "\u{202E}a", "\u{FFFD}", String(repeating: "a", count: 65),
    ])
    func `a name that cannot be read is none`(text: String) { #expect(DisplayName(text) == nil) }

    @Test func `a name waits for the journal, and later commands without one do not`() {
        var policy = PersistencePolicy(goingOnFrom: nil)
        var record = DisplayRecord.of()
        #expect(policy.accept(record) == .soon)
        record.settings.name = DisplayName("Left")
        #expect(policy.accept(record) == .beforeWrite)
        policy.markStored(record)
        #expect(policy.accept(record) == .none)
        record.baselineStep += 1
        #expect(policy.accept(record) == .soon)
        // After a restart of the machine the file has the name already.
        var next = PersistencePolicy(goingOnFrom: RecoveredRecord(record, isOfThisBoot: false))
        #expect(next.accept(record) == .soon)
        record.settings = .none
        #expect(next.accept(record) == .beforeWrite)
    }
}
