// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// Programs for idle screens, which dim, blank, restore and unblank a backlight in any order.
@Suite(.timeLimit(.minutes(10)))
struct BlankedPanelTests {
    enum Act: Hashable {
        case sets(Int)
        /// Sets the step that the panel showed at first.
        case restores
        case blanks, unblanks
    }

    /// Which acts make the daemon read the panel at once: a client watches, only writes of the brightness have an event
    /// of the kernel, or nothing does until the end.
    enum Reads: CaseIterable { case everything, steps, onlyTheEnd }

    struct Story: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// With the seconds since the first act.
        let acts: [(Double, Act)]
        /// The step in the end; `nil` for the first one.
        var end: Int?
    }

    private static let stories = [
        Story(testDescription: "blanks only", acts: [(0, .blanks), (5, .unblanks)]),
        Story(
            testDescription: "restores 1.5 s before it is on",
            acts: [(0, .sets(10)), (5, .blanks), (60, .restores), (61.5, .unblanks)]
        ),
        Story(
            testDescription: "restores 0.1 s before it is on",
            acts: [(0, .sets(10)), (5, .blanks), (60, .restores), (60.1, .unblanks)]
        ),
        Story(
            testDescription: "restores 0.03 s after it is on",
            acts: [(0, .sets(10)), (5, .blanks), (60, .unblanks), (60.03, .restores)]
        ),
        Story(
            testDescription: "restores 0.3 s after it is on",
            acts: [(0, .sets(10)), (5, .blanks), (60, .unblanks), (60.3, .restores)]
        ),
        Story(
            testDescription: "sets another step while it is blanked",
            acts: [(0, .blanks), (5, .sets(70)), (60, .unblanks)],
            end: 70
        ),
        Story(
            testDescription: "dims while it is blanked, and restores after it is on",
            acts: [(0, .blanks), (5, .sets(10)), (60, .unblanks), (60.3, .restores)]
        ),
    ]

    @Test(arguments: stories, Reads.allCases)
    func `a panel ends at the step that others set`(story: Story, reads: Reads) throws {
        let fixture = try DisplayServiceFixture(showing: 48, isSwitchable: true)
        try play(story, reads, on: fixture)
        #expect(fixture.panel.step == story.end ?? 48)
        #expect(fixture.state.baseline == .at(story.end == nil ? 0.48 : 0.7))
        #expect(fixture.panel.writes == [])
    }

    @Test(arguments: stories, Reads.allCases)
    func `a boost ends it there or continues`(story: Story, reads: Reads) throws {
        let fixture = try DisplayServiceFixture(showing: 48, isSwitchable: true)
        try fixture.perform(.boost(by: "qr", for: .seconds(600)))
        try play(story, reads, on: fixture)
        #expect(fixture.panel.step == story.end ?? 100)
        #expect(fixture.state.boost?.isOverridden == (story.end != nil))
        try fixture.perform(.restoreAll(), at: .after(.seconds(70)))
        #expect(fixture.panel.step == story.end ?? 48)
    }

    private func play(_ story: Story, _ reads: Reads, on fixture: DisplayServiceFixture) throws {
        let first = fixture.panel.step
        for (seconds, act) in story.acts {
            switch act {
            case .sets(let step): fixture.panel.step = step
            case .restores: fixture.panel.step = first
            case .blanks: fixture.panel.isOn = false
            case .unblanks: fixture.panel.isOn = true
            }
            let isRead = reads == .everything || reads == .steps && act != .blanks && act != .unblanks
            if isRead { try fixture.perform(.refresh(), at: .after(.seconds(seconds))) }
        }
        try fixture.perform(.refresh(), at: .after(.seconds(65)))
        #expect(fixture.state.power.isOn == true)
    }

    @Test func `a value that waits for the light yields to a step that others set`() throws {
        let fixture = try DisplayServiceFixture(showing: 48, isSwitchable: true)
        fixture.panel.isOn = false
        try fixture.perform(.set(0.8))
        (fixture.panel.step, fixture.panel.isOn) = (60, true)
        try fixture.perform(.refresh(), at: .after(.seconds(5)))
        #expect(fixture.panel.step == 60)
        #expect(fixture.state.baseline == .at(0.6))
        #expect(fixture.panel.writes == [])
    }

    @Test func `a step that others set while a sleep lasts becomes the baseline`() throws {
        let fixture = try DisplayServiceFixture(showing: 48, isSwitchable: true)
        try fixture.perform(.lease(.sleep, by: "a"))
        fixture.panel.step = 5
        try fixture.perform(.refresh())
        #expect(fixture.state.baseline == .at(0.05))
        try fixture.perform(.restore(holder: "a"))
        #expect(fixture.panel.step == 5)
    }
}
