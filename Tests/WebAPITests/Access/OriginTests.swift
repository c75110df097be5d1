// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import WebAPI

/// Requests to another host, and of pages of another origin.
@Suite struct OriginTests {
    private static let foreign = [
        "http://evil.example", "https://localhost.evil.example", "http://evil.example:8787", "null",
        "http://127.0.0.1.evil.example", "chrome-extension://localhost", "ftp://localhost",
    ]
    private static let near = "http://localhost:3000"
    private static let writes: [(String, String, String?)] = [
        ("POST", "/v1/boost", nil), ("POST", "/v1/restore", nil), ("PUT", "/v1/brightness", #"{"brightness":0.6}"#),
        ("PATCH", "/v1/brightness", #"{"delta":0.1}"#),
        ("DELETE", "/v1/displays/panel-0/leases/" + String(repeating: "0", count: 32), nil),
    ]

    @Test func `only addresses, localhost and allowed hosts are served`() async throws {
        try await serving(ServedApplication(hosts: ["kiosk.example", "second.example"])) { daemon in
            for host in [
                "127.0.0.1", "127.0.0.1:1", "localhost", "localhost:8787", "LOCALHOST", "[::1]", "[::1]:8787",
                "192.168.1.7", "kiosk.example", "Second.Example:8787",
            ] {
                #expect(try daemon.ask("GET", "/v1/brightness", ["Host": host]).status == 200, "\(host)")
            }
            for host in [
                "evil.example", "evil.example:8787", "localhost.evil.example", "127.0.0.1.evil.example",
                "evillocalhost", "127.0.0.1.nip.io", "1.2.3", "256.1.1.1", "kiosk", "x.kiosk.example",
            ] {
                for (method, path) in [
                    ("GET", "/v1/brightness"), ("POST", "/v1/boost"), ("GET", "/v1/events"), ("GET", "/"),
                ] {
                    try daemon.refuse(421, method, path, ["Host": host])
                }
            }
        }
    }

    @Test func `a page of another origin neither writes nor streams, and reads nothing`() async throws {
        try await serving(ServedApplication(origins: ["https://kiosk.example"])) { daemon in
            for origin in Self.foreign + [
                "http://kiosk.example", "https://kiosk.example:444", "https://x.kiosk.example",
            ] {
                for (method, path, body) in Self.writes + [("GET", "/v1/events", nil)] {
                    let answer = try daemon.refuse(403, method, path, ["Origin": origin], body: body)
                    #expect(answer.fields["access-control-allow-origin"] == nil)
                }
                let health = try daemon.ask("GET", "/livez", ["Origin": origin])
                #expect(health.status == 200 && health.fields["access-control-allow-origin"] == "*")
                #expect(health.body.hasPrefix("refused: Pages ") && health.body.contains("--allow-origin"))
                for path in ["/v1/brightness", "/", "/openapi.json", "/v1"] {
                    let answer = try daemon.ask("GET", path, ["Origin": origin])
                    #expect(answer.status == 200 && answer.fields["access-control-allow-origin"] == nil)
                    #expect(path != "/v1/brightness" || answer.fields["vary"]?.contains("Origin") == true)
                }
            }
        }
    }

    @Test func `a page of this machine, an allowed origin or the daemon itself may write`() async throws {
        try await serving(ServedApplication(origins: ["https://kiosk.example"])) { daemon in
            for origin in [
                Self.near, "http://127.0.0.1:3000", "http://[::1]:3000", "https://localhost", "https://kiosk.example",
                "http://192.168.1.7:8787",
            ] {
                let fields = ["Origin": origin, "Host": "192.168.1.7:8787"]
                let answer = try daemon.ask("POST", "/v1/boost", fields)
                #expect([200, 201].contains(answer.status), "\(origin)")
                #expect(answer.fields["access-control-allow-origin"] == origin)
                #expect(answer.fields["vary"]?.contains("Origin") == true)
                let exposed = Set(answer.fields["access-control-expose-headers"]?.split(separator: ", ") ?? [])
                #expect(exposed.isSuperset(of: ["ETag", "Location", "RateLimit", "RateLimit-Policy", "Retry-After"]))
            }
            for path in ["/livez", "/v1", "/problems/forbidden", "/v1/brightness"] {
                for method in ["GET", "OPTIONS"] {
                    let answer = try daemon.ask(method, path, ["Origin": Self.near])
                    #expect(answer.fields["access-control-allow-origin"] == Self.near)
                    #expect(answer.fields["vary"]?.contains("Origin") == true)
                }
            }
        }
        try await serving(ServedApplication(isOnLoopback: false)) { daemon in
            try daemon.refuse(403, "POST", "/v1/boost", ["Origin": Self.near])
        }
    }

    @Test(arguments: ["/brightness.js", "/brightness/server.js"])
    func `a page of every origin may load the module`(path: String) async throws {
        try await serving(ServedApplication()) { daemon in
            for origin in Self.foreign + [Self.near, ""] {
                let answer = try daemon.ask("GET", path, ["Origin": origin])
                let tag = try #require(answer.fields["etag"])
                let again = try daemon.ask("GET", path, ["Origin": origin, "If-None-Match": tag])
                #expect((answer.status, again.status) == (200, 304))
                for answer in [answer, again] { #expect(answer.fields["access-control-allow-origin"] == "*") }
            }
        }
    }

    @Test func `the problem names the origin`() async throws {
        try await serving(ServedApplication()) { daemon in
            let page = try daemon.refuse(403, "POST", "/v1/boost", ["Origin": "http://evil.example"])
            let advice = "Start the daemon with --allow-origin http://evil.example to allow it."
            #expect(page.body.contains("Pages of http://evil.example may not change displays. \(advice)"))
            let file = try daemon.refuse(403, "POST", "/v1/boost", ["Origin": "null"]).body
            #expect(file.contains("Pages without an origin, such as files, may not change displays. Serve"))
            let site = try daemon.refuse(403, "POST", "/v1/boost", ["Sec-Fetch-Site": "cross-site"]).body
            #expect(site.contains("Pages of other sites may not change displays. Start"))
        }
    }

    @Test(arguments: [("PUT", "/v1/brightness"), ("POST", "/v1/boost"), ("GET", "/v1/events")])
    func `a preflight lists methods and fields for allowed origins only`(method: String, path: String) async throws {
        try await serving(ServedApplication()) { daemon in
            let question = ["Access-Control-Request-Method": method, "Origin": Self.near]
            let answer = try daemon.ask("OPTIONS", path, question)
            #expect(answer.status == 204 && answer.fields["access-control-allow-origin"] == Self.near)
            let methods = answer.fields["access-control-allow-methods"]?.split(separator: ", ") ?? []
            #expect(methods.contains { $0 == method })
            let fields = Set(answer.fields["access-control-allow-headers"]?.split(separator: ", ") ?? [])
            #expect(fields.isSuperset(of: ["Authorization", "Content-Type", "If-Match", "If-None-Match"]))
            let foreign = try daemon.ask("OPTIONS", path, question.merging(["Origin": Self.foreign[0]]) { $1 })
            #expect(!foreign.fields.keys.contains { $0.hasPrefix("access-control-allow") })
        }
    }

    @Test func `anonymous readers may not write`() async throws {
        try await serving(ServedApplication(anonymous: .read)) { daemon in
            #expect(try daemon.ask("GET", "/v1/brightness").status == 200)
            for (method, path, body) in Self.writes { try daemon.refuse(403, method, path, body: body) }
        }
    }
}
