// SPDX-License-Identifier: Apache-2.0
import BrightnessClient
import BrightnessCore
import Testing

@Suite struct ResultsTests {
    private static let now = Moment(
        instant: Instant(sinceBoot: .zero),
        wall: Timestamp(milliseconds: 1_795_240_800_000)
    )
    private static let lease = #"""
        {"id":"1","kind":"boost","display":"A","holder":null,"principal":"anonymous","brightness":1,"lifespan":"custom",
         "reason":null,"grantedAt":"2026-11-21T06:00:00.000Z","until":"2026-11-21T06:01:00.123Z","overridden":false,
         "limitedBy":["dim"],"warning":"A dim\u001b wins."}
        """#

    private static func state(_ more: String = "") -> String {
        #"""
        {"id":"DP-2","name":"Wall","kind":"ddc","brightness":1,"baseline":0.42,"raw":{"value":960,"maximum":960},
         "power":{"on":null,"baseline":true,"switchable":false},
         "auto":{"enabled":false,"heldUntil":null,"waiting":null},"unavailable":null,
         "cause":{"kind":"api","by":null,"reason":null,"at":"2026-11-21T06:00:00.000Z"}\#(more)}
        """#
    }

    private func results(_ text: String, status: Int = 200) throws -> Results {
        Results(try #require(JSONDocument(parsing: Array(text.utf8))).root, status: status, at: Self.now)
    }

    @Test(
        arguments: [
            (202, nil, "DP-2 has not confirmed it yet."), (200, nil, nil), (200, [200], nil),
            (207, [200, 202], "DP-2 has not confirmed it yet."),
            (207, [202, 200, 202], "2 displays have not confirmed it yet."),
            (200, [], "There is no display for it now."),
        ] as [(Int, [Int]?, String?)]
    )
    func `a change is pending until each display has confirmed it`(
        status: Int,
        statuses: [Int]?,
        pending: String?
    ) throws {
        let entries = statuses?.map { #"{"display":"DP-2","status":\#($0),"state":\#(Self.state())}"# }
        let list = entries.map { #"{"results":[\#($0.joined(separator: ","))]}"# }
        #expect(try results(list ?? Self.state(), status: status).pending == pending)
    }

    @Test func `a result for all displays distinguishes leases and problems`() throws {
        let problem = #"{"type":"/problems/away","title":"Away","detail":"Plug it in.","status":503}"#
        let text = """
            {"results":[{"display":"A","status":201,"lease":\(Self.lease)},
             {"display":"B","status":503,"problem":\(problem)},{"display":"C","status":502,"problem":{}},
             {"display":"DP-2","status":202,"state":\(Self.state())}]}
            """
        let results = try results(text)
        #expect(results.leases.map(\.lease.display.text) == ["A"])
        #expect(results.leases.first?.limits == [.dim])
        #expect(results.leases.first?.lease.end?.wall == Self.now.wall + .milliseconds(60_123))
        #expect(results.states.map(\.id.text) == ["DP-2"])
        #expect(results.problems.map(\.display) == ["B", "C"])
        #expect(
            results.problems.map(\.problem.sentence)
                == ["Away: Plug it in.", "The server answered with the status 502"]
        )
        #expect(results.problems.allSatisfy { $0.problem.isTemporary })
        #expect(results.note() == #"A dim\u{1b} wins."#)
    }

    @Test(
        arguments: [
            (
                401, "unauthorized", "Token required",
                "This request requires a token with the scope read: send Authorization: Bearer TOKEN.",
                "Token required: --token-file PATH or the variable BRIGHTNESS_TOKEN names a token."
            ),
            (
                401, "unauthorized", "Token required",
                "The token is unknown or was revoked. Use one of the daemon's --token-file. Nothing was changed.",
                "Token required: The token is unknown or was revoked. Nothing was changed. "
                    + "--token-file PATH or the variable BRIGHTNESS_TOKEN names a token."
            ),
            (
                404, "not-found", "Not found", "No group has the name \"x\". GET /v1/groups lists every group.",
                "Not found: No group has the name \"x\"."
            ),
            (
                404, "not-found", "Not found", "No resource has the path /v1/x. GET /v1 and /docs list every path.",
                "Not found: The daemon may be of another version, or --server may name another path."
            ),
            (
                404, "display-not-found", "Display not found",
                "No display has the id \"x\". GET /v1/displays lists every display.",
                "Display not found: No display has the id \"x\". brightness list shows every display."
            ),
            (
                422, "invalid-body", "Invalid body", "percent must be a number. For a half, send {\"percent\":50}.",
                "percent must be a number."
            ),
        ]
    )
    func `a problem has no words of requests`(
        status: Int,
        name: String,
        title: String,
        detail: String,
        sentence: String
    ) {
        #expect(ProblemDocument(name, title: title, status: status, detail: detail).sentence == sentence)
    }

    @Test(
        arguments: [
            (.boost, "dim", "No boost was in force."), (.dim, "boost", "No dim was in force."),
            (.dim, "dim", "No dim of this holder was in force. The dims that go on have other holders: "),
            (.sleep, "sleep", "No sleep of this holder was in force. The sleeps that go on have other holders: "),
            (nil, "wake", "No lease of this holder was in force. The leases that go on have other holders: "),
            (nil, "none", "No lease was in force."),
        ] as [(LeaseKind?, String, String)]
    )
    func `a restore of nothing is noted, with leases of that kind that go on`(
        kind: LeaseKind?,
        inForce: String,
        noted: String
    ) throws {
        let summary = #"{"leases":1,"until":null,"overridden":false}"#
        let note = try results(Self.state(#","released":0,"\#(inForce)":\#(summary)"#)).note(restoring: kind)
        #expect(note == (noted.hasSuffix(".") ? noted : "\(noted)see --holder and --all."))
        let released = try results(Self.state(#","released":1,"\#(inForce)":\#(summary)"#))
        #expect(released.note(restoring: kind) == nil)
    }
}
