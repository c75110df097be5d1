// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@testable import WebAPI

/// The same words for the default display, for each, for all and for a group.
@Suite struct ManyDisplaysTests {
    private func two(_ tokens: [String]? = nil, _ test: (ServedApplication) throws -> Void) async throws {
        try await serving(ServedApplication(displays: 2, tokens: tokens), test)
    }

    private func baselines(_ daemon: ServedApplication) throws -> [JSONValue?] {
        let list = try daemon.ask("GET", "/v1/displays")
        return [list["displays/0/baseline"], list["displays/1/baseline"]]
    }

    private func parts(_ answer: ServedApplication.Answer, _ place: String) -> [JSONValue?] {
        (answer["results"]?.elements ?? []).map { $0[place] }
    }

    @Test(arguments: ["/v1/brightness?display=panel-1", "/v1/displays/panel-1/brightness"])
    func `a path or a shortcut names another display`(path: String) async throws {
        try await two { daemon throws in
            for (body, wanted) in [(#"{"brightness":0.7}"#, 0.7), (#"{"percent":30}"#, 0.3), (#"{"raw":81}"#, 0.81)] {
                #expect(try daemon.ask("PUT", path, body: body)["id"] == "panel-1")
                #expect(try daemon.ask("GET", "/v1/brightness?display=panel-1")["baseline"] == .number(wanted))
                #expect(try daemon.ask("GET", "/v1/brightness")["id"] == "panel-0")
                #expect(try baselines(daemon) == [0.5, .number(wanted)])
            }
        }
    }

    @Test(arguments: [(#"{"brightness":0.9}"#, 0.9), (#"{"percent":80}"#, 0.8), (#"{"raw":70}"#, 0.7)])
    func `a boost has a brightness in any unit`(body: String, wanted: Double) async throws {
        try await two { daemon in
            let lease = try daemon.ask("POST", "/v1/boost", body: body)
            #expect(lease.status == 201 && lease["brightness"] == .number(wanted))
            #expect(try daemon.ask("GET", "/v1/brightness")["brightness"] == .number(wanted))
        }
    }

    @Test func `a delta may be in percent, and all move by it`() async throws {
        try await two { daemon in
            let step = try daemon.ask("PATCH", "/v1/brightness", body: #"{"delta":{"percent":-10}}"#)
            #expect(step["baseline"] == 0.4)
            #expect(
                try daemon.ask("PATCH", "/v1/displays/all/brightness", body: #"{"delta":{"brightness":0.1}}"#).status
                    == 200
            )
            #expect(try baselines(daemon) == [0.5, 0.6])
        }
    }

    @Test func `the leases of a display are listed under its words`() async throws {
        try await two { daemon in
            try daemon.ask("POST", "/v1/displays/all/boost", body: #"{"holder":"kiosk-3"}"#)
            let (a, b): ([JSONValue], [JSONValue]) = (["panel-0"], ["panel-1"])
            let (both, none): ([JSONValue], [JSONValue]) = (["panel-0", "panel-1"], [])
            for (path, wanted) in [
                ("boost", a), ("boost?display=panel-1", b), ("displays/panel-0/boost", a), ("displays/all/boost", both),
                ("displays/panel-1/leases", b), ("displays/all/leases?kind=boost", both), ("groups/front/boost", b),
                ("leases?display=panel-1&kind=boost", b), ("leases?kind=dim", none),
            ] {
                let leases = try daemon.ask("GET", "/v1/\(path)")["leases"]?.elements ?? []
                #expect(leases.compactMap { $0["display"] } == wanted, "\(path)")
            }
        }
    }

    @Test func `a restore answers the number of released leases`() async throws {
        try await two { daemon in
            func boost(_ holder: String) throws {
                try daemon.ask("POST", "/v1/boost", body: #"{"holder":"\#(holder)"}"#)
            }
            func released(_ body: String?) throws -> JSONValue? {
                try daemon.ask("POST", "/v1/restore", body: body)["released"]
            }
            try boost("one")
            try boost("two")
            #expect(try released(nil) == 0)
            #expect(try released(#"{"holder":"one"}"#) == 1)
            try boost("three")
            #expect(try released(#"{"all":true}"#) == 2)
            #expect(try parts(daemon.ask("POST", "/v1/displays/all/restore"), "state/released") == [0, 0])
        }
    }

    @Test func `a command for all has a result of each display`() async throws {
        try await two { daemon in
            let all = "/v1/displays/all"
            let set = try daemon.ask("PUT", "\(all)/brightness", body: #"{"percent":70,"holder":"maria"}"#)
            #expect(set.status == 200 && parts(set, "display") == ["panel-0", "panel-1"])
            #expect(parts(set, "status") == [200, 200])
            #expect(daemon.states.allSatisfy { set.body.contains($0) })
            #expect(try baselines(daemon) == [0.7, 0.7])
            let granted = try daemon.ask("POST", "\(all)/boost", body: #"{"holder":"kiosk-3"}"#)
            #expect(granted.status == 200 && parts(granted, "status") == [201, 201])
            for place in 0...1 {
                guard case .string(let id)? = granted["results/\(place)/lease/id"] else { throw CancellationError() }
                let lease = try daemon.ask("GET", "/v1/displays/panel-\(place)/leases/\(id)")
                #expect(lease["id"] == .string(id) && lease["holder"] == "kiosk-3")
            }
            let again = try daemon.ask("POST", "\(all)/boost", body: #"{"holder":"kiosk-3"}"#)
            #expect(parts(again, "status") == [200, 200] && parts(again, "lease/id") == parts(granted, "lease/id"))
            let restored = try daemon.ask("POST", "\(all)/restore", body: #"{"holder":"kiosk-3"}"#)
            #expect(parts(restored, "state/boost") == [.null, .null])
        }
    }

    @Test func `a display on which a command fails has a problem of its own`() async throws {
        try await two { daemon in
            try daemon.ask("PUT", "/v1/displays/panel-1/brightness", body: #"{"percent":40}"#)
            let tag = try #require(try daemon.ask("GET", "/v1/displays/panel-0").fields["etag"])
            let answer = try daemon.ask("PUT", "/v1/displays/all/brightness", ["If-Match": tag], body: #"{"raw":1}"#)
            #expect(answer.status == 207 && parts(answer, "status") == [200, 412])
            #expect(answer["results/0/state/raw/value"] == 1)
            #expect(answer["results/1/problem/type"] == "/problems/precondition-failed")
        }
    }

    @Test func `an invalid request for all changes no display`() async throws {
        try await two { daemon in
            for (method, path, body, status) in [
                ("PUT", "brightness", #"{"brightness":2}"#, 422), ("PATCH", "brightness", "{}", 422),
                ("POST", "boost", #"{"ttl":0}"#, 422), ("POST", "restore", #"{"everybody":true}"#, 422),
                ("GET", "brightness", nil, 405),
            ] {
                try daemon.refuse(status, method, "/v1/displays/all/\(path)", body: body)
            }
        }
    }

    @Test func `groups are listed with their patterns and displays`() async throws {
        try await two { daemon throws in
            let groups =
                #"{"groups":[{"name":"hall","patterns":["panel-*"]},"#
                + #"{"name":"front","patterns":["panel-1","tag:front"]},{"name":"back","patterns":["panel-0"]}]}"#
            #expect(try daemon.ask("GET", "/v1/groups").body == groups + "\n")
            let front = #"{"name":"front","patterns":["panel-1","tag:front"],"displays":["panel-1"]}"#
            #expect(try daemon.ask("GET", "/v1/groups/front").body == front + "\n")
        }
    }

    private static let commands = [
        ("PUT", "brightness", #"{"percent":70}"#), ("PATCH", "brightness", #"{"delta":0.1}"#), ("POST", "boost", "{}"),
        ("POST", "dim", #"{"brightness":0.1}"#), ("POST", "wake", "{}"), ("POST", "sleep", "{}"),
        ("POST", "leases", #"{"kind":"boost"}"#), ("POST", "restore", "{}"), ("PUT", "power", #"{"on":true}"#),
        ("PUT", "auto", #"{"enabled":false}"#),
    ]

    @Test(arguments: commands)
    func `every command that all has exists for a group`(method: String, path: String, body: String) async throws {
        try await two { daemon in
            let other = daemon.states[0]
            let answer = try daemon.ask(method, "/v1/groups/front/\(path)", body: body)
            #expect(answer.status == 200 && parts(answer, "display") == ["panel-1"])
            #expect(daemon.states[0] == other)
            if method == "POST", path != "restore" {
                #expect(try daemon.ask("GET", "/v1/groups/front/\(path)").body.contains(#""display":"panel-1""#))
            }
            try daemon.refuse(404, method, "/v1/groups/none/\(path)", body: body)
        }
    }

    @Test(arguments: [
        ("group=front", ["panel-1"]), ("display=*-1&display=panel-0", ["panel-0", "panel-1"]),
        ("group=hall&display=*-1", ["panel-1"]), ("tag=floor1", []), ("display=tag:floor1", []),
    ])
    func `the list can be filtered`(query: String, ids: [String]) async throws {
        try await two { daemon in
            // The second request would find a cached response.
            for _ in 0...1 {
                let list = try daemon.ask("GET", "/v1/displays?\(query)")
                #expect(list["displays"]?.elements.compactMap { $0["id"] } == ids.map { JSONValue.string($0) })
                #expect(try list.fields["etag"] == daemon.ask("GET", "/v1/displays").fields["etag"])
            }
        }
    }

    @Test(arguments: [["", "?display="], ["?display=", ""]])
    func `a list of many displays and the list of an absent default display are different`(queries: [String])
        async throws
    {
        let count = Backend.fewDisplays + 1
        try await serving(ServedApplication(displays: count, defaultDisplay: "absent")) { daemon in
            for query in queries {
                let list = try daemon.ask("GET", "/v1/displays\(query)")
                #expect(list["displays"]?.elements.count == (query.isEmpty ? count : 0))
            }
        }
    }

    @Test(arguments: commands)
    func `a shortcut means the default display also for a token that may not change it`(
        method: String,
        path: String,
        body: String
    ) async throws {
        try await two(["kiosk:write[panel-1]:kiosk-0123456789a"]) { daemon in
            let token = ["Authorization": "Bearer kiosk-0123456789a"]
            let refused = try daemon.refuse(403, method, "/v1/\(path)", token, body: body)
            let detail = "The token is limited to panel-1, and may not change panel-0. Nothing was changed."
            #expect(refused["detail"] == .string(detail))
            let named = try daemon.ask(method, "/v1/\(path)?display=panel-1", token, body: body)
            #expect([200, 201].contains(named.status))
            for target in ["displays/all", "groups/hall"] {
                let answer = try daemon.ask(method, "/v1/\(target)/\(path)", token, body: body)
                #expect(parts(answer, "display") == ["panel-1"])
            }
            try daemon.refuse(403, method, "/v1/groups/back/\(path)", token, body: body)
            #expect(try daemon.ask("GET", "/v1/displays", token)["displays"]?.elements.count == 2)
            #expect(try daemon.ask("GET", "/v1/whoami", token)["limit"] == .array(["panel-1"]))
        }
    }
}
