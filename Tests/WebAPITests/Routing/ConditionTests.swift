// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import WebAPI

/// `If-Match` and `If-None-Match` of writes (RFC 9110, section 13.1).
@Suite struct ConditionTests {
    private static let preset = #"{"displays":{"all":{"brightness":0.3}}}"#
    private static let schedule = #"{"from":"22:00","to":"06:00","dim":0.2}"#
    private static let location = #"{"latitude":52.52,"longitude":13.4}"#
    private static let settings = "/v1/displays/panel-0/settings"

    /// Each document with an entity tag: its path, its body, another body, whether it exists from the start, and
    /// whether it can be deleted.
    static let documents = [
        ("/v1/presets/film", preset, #"{"displays":{"all":{"brightness":0.4}}}"#, false, true),
        ("/v1/schedules/night", schedule, #"{"from":"22:00","to":"06:00","dim":0.3}"#, false, true),
        ("/v1/location", location, #"{"latitude":52.53,"longitude":13.4}"#, true, true),
        (
            "/v1/configuration", #"{"version":1,"location":\#(location)}"#, #"{"version":1,"location":null}"#, true,
            false
        ),
        (settings, #"{"name":"Left"}"#, #"{"name":"Right"}"#, true, false),
    ]

    @Test(arguments: documents)
    func `a change of a document is carried out only if its condition holds`(
        path: String,
        body: String,
        other: String,
        exists: Bool,
        isRemovable: Bool
    ) async throws {
        try await serving(ServedApplication()) { daemon in
            func put(_ fields: [String: String], _ body: String) throws -> Int {
                try daemon.ask("PUT", path, fields, body: body).status
            }
            func tag() throws -> String { try #require(try daemon.ask("GET", path).fields["etag"]) }
            if !exists {
                #expect(try put(["If-Match": "*"], body) == 412)
                #expect(try put(["If-Match": "\"x\""], body) == 412)
            }
            #expect(try put(exists ? [:] : ["If-None-Match": "*"], body) == (exists ? 200 : 201))
            let first = try tag()
            #expect(try daemon.ask("GET", path, ["If-None-Match": "W/\(first)"]).status == 304)
            #expect(try put(["If-None-Match": "*"], other) == 412)
            #expect(try put(["If-None-Match": first], other) == 412)
            #expect(try put(["If-Match": "W/\(first)"], other) == 412)
            #expect(try put(["If-Match": "\"x\""], other) == 412)
            #expect(try tag() == first)
            #expect(try put(["If-Match": "\"x\", \(first)"], other) == 200)
            let second = try tag()
            #expect(second != first)
            // A GET obeys `If-None-Match` alone.
            for fields in [["If-None-Match": first], ["If-None-Match": first, "If-Match": first]] {
                #expect(try daemon.ask("GET", path, fields).status == 200)
            }
            #expect(try put(["If-Match": first], body) == 412)
            #expect(try put(["If-Match": "*"], other) == 200)
            #expect(try tag() == second)
            guard isRemovable else { return }
            #expect(try daemon.ask("DELETE", path, ["If-Match": first]).status == 412)
            #expect(try daemon.ask("GET", path).fields["etag"] == second)
            #expect(try daemon.ask("DELETE", path, ["If-Match": second]).status == 204)
        }
    }

    @Test(arguments: ["/v1/presets/film", "/v1/schedules/night", "/v1/location", "/v1/configuration"])
    func `the answer to a change of a document has its new tag`(path: String) async throws {
        try await serving(ServedApplication()) { daemon in
            let body = try #require(Self.documents.first { $0.0 == path }).1
            let answer = try daemon.ask("PUT", path, body: body)
            #expect(try answer.fields["etag"] == daemon.ask("GET", path).fields["etag"])
        }
    }

    @Test func `a paused schedule has another tag`() async throws {
        try await serving(ServedApplication()) { daemon in
            let tag = try #require(try daemon.ask("PUT", "/v1/schedules/night", body: Self.schedule).fields["etag"])
            let path = "/v1/schedules/night"
            #expect(try daemon.ask("PATCH", path, ["If-Match": tag], body: #"{"paused":true}"#).status == 200)
            #expect(try daemon.ask("PATCH", path, ["If-Match": tag], body: #"{"paused":false}"#).status == 412)
        }
    }

    @Test func `the tag of a display's settings stays while its brightness changes`() async throws {
        try await serving(ServedApplication()) { daemon in
            let tag = try #require(try daemon.ask("GET", Self.settings).fields["etag"])
            try daemon.ask("PUT", "/v1/brightness", body: #"{"percent":70}"#)
            let answer = try daemon.ask("PUT", Self.settings, ["If-Match": tag], body: #"{"name":"Left"}"#)
            // The response is the display's state, whose tag is that of another resource.
            #expect(answer.status == 200 && answer.fields["etag"] == nil)
        }
    }

    @Test func `an invalid query is rejected before a condition is evaluated`() async throws {
        try await serving(ServedApplication()) { daemon in
            for query in ["display=.", "display=group:hall", "tag=a%20b"] {
                let answer = try daemon.ask("GET", "/v1/displays?\(query)", ["If-None-Match": "*"])
                #expect(answer.status == 400 && answer.problem == "invalid-request", "\(query)")
            }
        }
    }

    @Test(arguments: ["If-Match", "If-None-Match"])
    func `a resource without a tag refuses conditions`(field: String) async throws {
        try await serving(ServedApplication()) { daemon in
            for tag in ["*", "\"x\""] {
                let put = try daemon.ask("PUT", "/v1/ambient/window", [field: tag], body: #"{"illuminance":300}"#)
                #expect(put.status == 412 && put.problem == "precondition-failed")
                #expect(try daemon.ask("POST", "/v1/activity", [field: tag]).status == 412)
                #expect(try daemon.ask("PATCH", "/v1/simulator", [field: tag], body: #"{"front":2}"#).status == 412)
                #expect(try daemon.ask("DELETE", "/v1/ambient/window", [field: tag]).status == 412)
            }
        }
    }

    /// The writes of displays, with their bodies. `LEASE` is a lease.
    static let writes = [
        ("PUT", "/v1/brightness", #"{"brightness":0.7}"#), ("PATCH", "/v1/brightness", #"{"delta":0.2}"#),
        ("PUT", "/v1/displays/panel-0/power", #"{"on":false}"#), ("POST", "/v1/boost", #"{"holder":"new"}"#),
        ("POST", "/v1/restore", #"{"holder":"kiosk-3"}"#), ("PUT", "/v1/auto", #"{"enabled":false}"#),
        ("PATCH", "/v1/displays/panel-0/leases/LEASE", #"{"ttl":60}"#),
        ("DELETE", "/v1/displays/panel-0/leases/LEASE", nil),
        ("POST", "/v1/presets/film/apply", "{}"),
    ]

    @Test(arguments: writes)
    func `a write of a display obeys its condition`(method: String, path: String, body: String?) async throws {
        try await serving(ServedApplication()) { daemon in
            try daemon.ask("PUT", "/v1/presets/film", body: Self.preset)
            let boost = try daemon.ask("POST", "/v1/boost", body: #"{"holder":"kiosk-3"}"#).body
            let lease = try #require(boost.firstMatch(of: /"id":"([0-9a-f]{32})"/)).1
            let path = path.replacing("LEASE", with: lease)
            let isOfAll = path.contains("presets")
            let state = try daemon.ask("GET", "/v1/brightness")
            let tag = try #require(state.fields["etag"])
            for fields in [
                ["If-Match": "\"00000000-1\""], ["If-Match": "W/\(tag)"], ["If-Match": "\"a\", \"b\""],
                ["If-None-Match": "*"], ["If-None-Match": tag],
            ] {
                let answer = try daemon.ask(method, path, fields, body: body)
                let isOfEach = isOfAll && fields["If-Match"] != nil
                #expect(answer.status == (isOfEach ? 207 : 412), "\(fields)")
                #expect(!isOfEach || answer.body.contains(#""status":412"#))
            }
            #expect(try daemon.ask("GET", "/v1/brightness").body == state.body)
            let done = try daemon.ask(method, path, ["If-Match": "\"other\", \(tag)"], body: body)
            #expect((200...204).contains(done.status))
        }
    }

    @Test func `only the first of two writes on one state succeeds`() async throws {
        try await serving(ServedApplication(displays: 2)) { daemon in
            let tag = try #require(try daemon.ask("GET", "/v1/brightness").fields["etag"])
            let statuses = try [#"{"percent":60}"#, #"{"percent":70}"#].map {
                try daemon.ask("PUT", "/v1/brightness", ["If-Match": tag], body: $0).status
            }
            #expect(statuses == [200, 412])
        }
    }
}
