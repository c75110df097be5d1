// SPDX-License-Identifier: Apache-2.0
import BrightnessClient
import Testing

@Suite struct DocumentTests {
    private static let plain = Style(hasColor: false)
    private static let state = #"""
        {"id":"DP-2","name":"Wall","kind":"ddc","brightness":1,"baseline":0.42,"raw":{"value":960,"maximum":960},
         "boost":{"brightness":1,"leases":2,"until":null,"overridden":false},"auto":{"enabled":false,"heldUntil":null},
         "available":true,"cause":{"kind":"boost","by":"kiosk-3","reason":"q\u001br","at":null}}
        """#

    private func json(_ text: String) throws -> JSON { try #require(JSON(Array(text.utf8))) }

    @Test func `a state is shown with what follows its boost`() throws {
        let state = try #require(DisplayDocument(json(Self.state)))
        let expected = """
            Wall (DP-2)
              brightness  100 %  (960 of 960)
              boost       100 % until released (2 leases), then 42 %
              automatic   off
              last change boost by kiosk-3: q?r
            """
        #expect(state.description(Self.plain, at: Time(secondsSince1970: 0)) == expected)
        #expect(state.line(Self.plain) == "DP-2  100 %  boosted, then 42 %")
        let table = "ID    BRIGHTNESS  BASELINE  KIND  NAME\nDP-2  100 %       42 %      ddc   Wall"
        #expect(DisplayDocument.table([state], Self.plain) == table)
        #expect(DisplayDocument.table([], Self.plain) == "ID  BRIGHTNESS  BASELINE  KIND  NAME")
    }

    @Test func `a display that has nothing to follow waits for a sensor`() throws {
        let json = try json(#"{"id":"DP-2","auto":{"enabled":true,"heldUntil":null,"waiting":"sensor"}}"#)
        let state = try #require(DisplayDocument(json))
        #expect(state.line(Self.plain).hasSuffix("  automatic, waiting for a light sensor"))
        let text = state.description(Self.plain, at: Time(secondsSince1970: 0))
        #expect(text.contains("  automatic   on, waiting for a light sensor"))
    }

    @Test func `members that a daemon leaves out are not needed`() throws {
        let state = try #require(DisplayDocument(json(#"{"id":"DP-2","available":false}"#)))
        #expect(state.line(Self.plain) == "DP-2  not available")
        #expect(
            state.change(Self.plain, at: Time(secondsSince1970: 0))
                == "\(Time(secondsSince1970: 0).clock)  DP-2  not available"
        )
        #expect(try DisplayDocument(json("{}")) == nil)
    }

    @Test(arguments: [(false, "since "), (true, "since before ")])
    func `a display of an offline machine is unavailable since then, not by its last change`(
        isLatest: Bool,
        words: String
    ) throws {
        let text = """
            {"id":"hall:DP-2","available":false,
            "unavailable":{"since":"2026-11-21T07:00:00.000Z","atLatest":\(isLatest)},
            "cause":{"kind":"api","by":"maria","at":"2026-11-21T06:00:00.000Z"}}
            """
        let state = try #require(DisplayDocument(json(text)))
        let lost = try #require(Time("2026-11-21T07:00:00Z")), now = try #require(Time("2026-11-21T07:10:00Z"))
        #expect(state.change(Self.plain, at: now) == "\(lost.clock)  hall:DP-2  not available")
        #expect(state.description(Self.plain, at: now).contains("not available \(words)\(lost.clock(at: now)): "))
        #expect(state.description(Self.plain, at: now).contains("api by maria"))
    }

    @Test func `numbers that no daemon sends are unknown`() throws {
        let text = #"{"id":"DP-2","brightness":1e300,"raw":{"value":-1e18,"maximum":1e99}}"#
        let state = try #require(DisplayDocument(json(text)))
        #expect(state.brightness == nil)
        #expect(state.raw == nil)
    }

    @Test func `colour is only where a terminal has it`() throws {
        #expect(DisplayDocument(id: "a").line(Style(hasColor: true)) == "\u{1B}[1ma\u{1B}[0m  unknown")
    }

    @Test func `a result for all displays distinguishes leases and problems`() throws {
        let lease = #"{"id":"1","display":"A","lifespan":"custom","brightness":1,"until":"2026-11-21T06:00:00.123Z"}"#
        let problem = #"{"title":"Away","detail":"Plug it in.","status":503}"#
        let text = """
            {"results":[{"display":"A","status":201,"lease":\(lease)},{"display":"B","status":503,"problem":\(problem)},
             {"display":"DP-2","status":202,"state":\(Self.state)}]}
            """
        let results = try Results(json(text))
        #expect(results.leases == [LeaseDocument(display: "A", brightness: 1, until: Time("2026-11-21T06:00:00Z"))])
        #expect(results.states.map(\.id) == ["DP-2"])
        #expect(results.problems.map(\.display) == ["B"])
        #expect(results.problems.map(\.problem.sentence) == ["Away: Plug it in."])
        #expect(try Results(json(lease)).leases.count == 1)
    }

    @Test(
        arguments: [
            (.boost, "dim", nil), (.dim, "boost", nil), (.dim, "dim", "dim"), (.sleep, "sleep", "sleep"),
            (nil, "wake", "lease"), (nil, "none", nil),
        ] as [(LeaseDocument.Kind?, String, String?)]
    )
    func `a restore of nothing is noted where leases of that kind go on`(
        kind: LeaseDocument.Kind?,
        inForce: String,
        noted: String?
    ) throws {
        let text = #"{"id":"DP-2","available":true,"released":0,"\#(inForce)":{"leases":1,"until":null}}"#
        let note = try Results(json(text)).note(restoring: kind)
        #expect(note?.hasPrefix("No ") == (noted == nil ? nil : true))
        if let noted { #expect(note?.contains("No \(noted) of this holder was in force. The \(noted)s") == true) }
    }

    @Test func `a time is read and written in UTC`() {
        #expect(Time("1970-01-02T00:00:01.999Z") == Time(secondsSince1970: 86_401))
        #expect(Time(secondsSince1970: 1_790_000_000).rfc3339 == "2026-09-21T14:13:20Z")
        #expect(Time("2026-09-21T14:13:20Z")?.secondsSince1970 == 1_790_000_000)
        for text in ["", "T", "2026-09-21", "2026-09-21T14:13:20+01:00", "2026-09T14:13Z"] {
            #expect(Time(text) == nil)
        }
    }

    @Test(
        arguments: [(ClientError.usage("a"), 64), (.failed("a"), 1), (.unreachable("a"), 3)] as [(ClientError, Int32)]
    )
    func `an error has an exit status of its own`(error: ClientError, code: Int32) {
        #expect(error.exitCode == code)
        #expect(error.sentence == "a")
    }
}
