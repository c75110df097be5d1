// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@testable import WebAPI

/// Tokens in requests, and the owners of leases.
@Suite struct TokenAccessTests {
    private static func secret(_ name: String) -> String { "\(name)-0123456789abcdef" }
    private static func bearer(_ name: String) -> [String: String] { ["Authorization": "Bearer \(secret(name))"] }

    private func guarded(_ anonymous: AccessPolicy.Anonymous? = nil, _ test: (ServedApplication) throws -> Void)
        async throws
    {
        let scopes = ["wall": "read", "maria": "write", "otto": "write", "boss": "admin"]
        let lines = scopes.map { "\($0.key):\($0.value):\(Self.secret($0.key))" }
        try await serving(ServedApplication(tokens: lines, anonymous: anonymous), test)
    }

    private static let documents = [
        "/livez", "/readyz", "/", "/brightness.js", "/openapi.yaml", "/problems/unauthorized",
    ]
    private static let reads = [
        "/v1/displays", "/v1/brightness", "/v1/displays/panel-0/boost", "/v1/history", "/v1/history/changes",
    ]

    @Test func `a read needs a token, a public document none`() async throws {
        try await guarded { daemon in
            for path in Self.documents {
                for fields in [[:], Self.bearer("nobody"), Self.bearer("wall")] {
                    #expect(try daemon.ask("GET", path, fields).status != 401, "\(path)")
                }
            }
            for path in Self.reads {
                let refused = try daemon.refuse(401, "GET", path)
                #expect(refused.fields["www-authenticate"]?.hasPrefix("Bearer ") == true)
                #expect(refused.problem == "unauthorized")
                for name in ["wall", "maria", "boss"] {
                    #expect(try daemon.ask("GET", path, Self.bearer(name)).status == 200)
                }
            }
            let refused = try daemon.refuse(403, "POST", "/v1/boost", Self.bearer("wall"))
            #expect(refused.fields["www-authenticate"]?.contains(#"error="insufficient_scope""#) == true)
        }
    }

    @Test func `an unknown token is 401, and the scheme is read without case`() async throws {
        try await guarded { daemon in
            func field(_ text: String) -> [String: String] {
                ["Authorization": text.replacing("@", with: Self.secret("wall"))]
            }
            for text in ["Bearer nobody-0123456789", "Bearer @x", "bearer  @x", "Bearer wall", "Bearer x@"] {
                let refused = try daemon.refuse(401, "GET", "/v1/brightness", field(text))
                #expect(refused.fields["www-authenticate"]?.contains(#"error="invalid_token""#) == true)
                #expect(refused.problem == "unauthorized" && !refused.body.contains(Self.secret("wall")))
            }
            for text in ["Basic d2FsbDpyZWFkZXI=", "Bearer", "@"] {
                #expect(try daemon.refuse(401, "GET", "/v1/brightness", field(text)).problem == "unauthorized")
            }
            for text in ["Bearer @", "bearer @", "BEARER @", "Bearer   @"] {
                #expect(try daemon.ask("GET", "/v1/brightness", field(text)).status == 200, "\(text)")
            }
            let query = "/v1/brightness?access_token=\(Self.secret("wall"))"
            #expect(try daemon.refuse(401, "GET", query).body.contains("Only streams"))
        }
    }

    @Test func `clients without a token have the configured scope`() async throws {
        try await guarded(.read) { daemon in
            #expect(try daemon.ask("GET", "/v1/brightness").status == 200)
            try daemon.refuse(401, "POST", "/v1/boost")
        }
        try await guarded(.write) { daemon in
            #expect(try daemon.ask("POST", "/v1/boost").status == 201)
            try daemon.refuse(401, "POST", "/v1/restore", body: #"{"all":true}"#)
            // A wrong token is not better than none.
            try daemon.refuse(401, "GET", "/v1/brightness", Self.bearer("nobody"))
        }
    }

    @Test func `only readers learn details of the health, and which path was meant`() async throws {
        try await guarded { daemon in
            for fields in [[:], Self.bearer("nobody")] {
                let health = try daemon.ask("GET", "/readyz", fields)
                #expect(health["unavailable"] == nil && health["waiting"] == nil)
                for part in ["journal", "mqtt", "homeAssistant", "schedules"] {
                    #expect(health["\(part)/detail"] == .null)
                }
            }
            #expect(try daemon.ask("GET", "/readyz", Self.bearer("wall"))["unavailable"] == .array([]))
            #expect(try daemon.ask("GET", "/v1/brightnes", Self.bearer("wall")).body.contains("/v1/brightness"))
            #expect(try !daemon.ask("GET", "/v1/brightnes").body.contains("/v1/brightness"))
        }
    }

    private static let own = #"{"holder":"page","brightness":0.9}"#

    @Test func `one holder name of two tokens is two leases`() async throws {
        try await guarded { daemon in
            func owners() throws -> [JSONValue] {
                try daemon.ask("GET", "/v1/boost", Self.bearer("wall"))["leases"]?.elements.compactMap {
                    $0["principal"]
                } ?? []
            }
            let first = try daemon.ask("POST", "/v1/boost", Self.bearer("maria"), body: Self.own)
            #expect(first["principal"] == "maria" && first["by"] == "page")
            #expect(try daemon.ask("POST", "/v1/boost", Self.bearer("otto"), body: Self.own)["id"] != first["id"])
            #expect(try daemon.ask("POST", "/v1/boost", Self.bearer("maria"), body: Self.own)["id"] == first["id"])
            #expect(try owners() == ["maria", "otto"])
            for name in ["otto", "boss"] {
                try daemon.ask("POST", "/v1/restore", Self.bearer(name), body: #"{"holder":"page"}"#)
                #expect(try owners() == ["maria"])
            }
        }
    }

    @Test func `a token's name is the default holder and by`() async throws {
        try await guarded { daemon in
            func write(_ name: String, _ method: String, _ path: String, _ body: String? = nil) throws
                -> ServedApplication.Answer
            {
                try daemon.ask(method, path, Self.bearer(name), body: body)
            }
            let lease = try write("maria", "POST", "/v1/boost")
            #expect(lease["holder"] == "maria" && lease["principal"] == "maria")
            let state = try write("maria", "PUT", "/v1/brightness", #"{"brightness":0.3}"#)
            #expect(state["cause/by"] == "maria" && state["cause/principal"] == "maria")
            #expect(
                try write("maria", "PUT", "/v1/brightness", #"{"brightness":0.4,"holder":"page"}"#)["cause/by"]
                    == "page"
            )
            let ended = try write("boss", "DELETE", #require(lease.fields["location"]))
            #expect(
                ended["cause/kind"] == "restore" && ended["cause/by"] == "boss" && ended["cause/principal"] == "boss"
            )
            _ = try write("maria", "POST", "/v1/boost")
            #expect(try write("maria", "POST", "/v1/restore")["boost"] == .null)
            let caller = #"{"principal":"maria","name":"maria","scope":"write","limit":null}"#
            #expect(try write("maria", "GET", "/v1/whoami").body == caller + "\n")
            let settings = try write("boss", "PUT", "/v1/displays/panel-0/settings", #"{"name":"Left"}"#)
            #expect(settings["cause/by"] == "boss")
        }
    }

    @Test(arguments: [("GET", nil), ("PATCH", #"{"ttl":60}"#), ("DELETE", nil)])
    func `the URL of another principal's lease is 403, except for an admin`(method: String, body: String?)
        async throws
    {
        try await guarded { daemon in
            for name in ["maria", "boss"] {
                let boost = #"{"holder":"of \#(name)"}"#
                let lease = try daemon.ask("POST", "/v1/boost", Self.bearer("maria"), body: boost)
                let path = try #require(lease.fields["location"])
                #expect(try daemon.refuse(403, method, path, Self.bearer("otto"), body: body).problem == "forbidden")
                #expect(try daemon.ask(method, path, Self.bearer(name), body: body).status == 200)
            }
        }
    }

    @Test func `a location is read and set by administrators only`() async throws {
        try await guarded { daemon in
            let body = #"{"latitude":52.52,"longitude":13.4}"#
            for name in ["wall", "maria"] {
                try daemon.refuse(403, "GET", "/v1/location", Self.bearer(name))
                try daemon.refuse(403, "PUT", "/v1/location", Self.bearer(name), body: body)
                try daemon.refuse(403, "DELETE", "/v1/location", Self.bearer(name))
            }
            #expect(try daemon.ask("PUT", "/v1/location", Self.bearer("boss"), body: body).status == 200)
            #expect(try daemon.ask("GET", "/v1/location", Self.bearer("boss"))["source"] == "set")
            #expect(try daemon.ask("DELETE", "/v1/location", Self.bearer("boss")).status == 204)
        }
    }
}
