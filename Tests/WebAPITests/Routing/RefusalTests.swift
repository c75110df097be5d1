// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@testable import WebAPI

/// Refused requests: the status, a problem document, and an unchanged state.
@Suite struct RefusalTests {
    private static let lease = "/v1/displays/panel-0/leases/" + String(repeating: "0", count: 32)
    private static let bodies = ["PUT": #"{"brightness":0.6}"#, "PATCH": #"{"delta":0.1}"#]

    /// - Parameter requests: Such as `GET /nothing`.
    private func refuse(_ status: Int, _ requests: [String], _ fields: [String: String] = [:]) async throws {
        try await serving(ServedApplication()) { daemon in
            for request in requests {
                let words = request.split(separator: " ").map { String($0) }
                let body = words[1].hasSuffix("/auto") ? #"{"enabled":false}"# : Self.bodies[words[0]]
                try daemon.refuse(status, words[0], words[1], fields, body: body)
            }
        }
    }

    @Test func `an unknown path or display is 404`() async throws {
        let requests = [
            "GET /nothing", "GET /v1/", "GET /v1/displays/", "GET /v1/displays/none", "GET /v1/displays/%ff",
            "PUT /v1/displays/none/brightness", "PATCH /v1/displays/none/brightness", "POST /v1/displays/none/boost",
            "GET /v1/displays/none/boost", "POST /v1/displays/none/restore", "GET \(Self.lease)",
            "DELETE \(Self.lease)",
            "GET /v1/displays/panel-0/leases/x", "GET /v1/displays/panel-0/leases/%20", "GET //v1/brightness",
            "GET /v1/brightness/", "GET /V1/brightness", "GET /problems/none", "HEAD /nothing",
            "GET /v1/displays/panel-0/x", "PUT /v1/displays/none/auto", "GET /v1/displays/all",
            "GET /v1/events?display=none", "GET /v1/events?display=panel-0&display=none", "GET /v1/displays?group=none",
            "GET /v1/displays/all/settings", "GET /v1/displays/other/settings", "GET /v1/boosts",
            "GET /v1/displays/all/boosts", "GET /v1/displays/panel-0/boosts", "GET /v1/history/changes?display=none",
        ]
        try await refuse(404, requests + ["none", "", "all", "%2e%2e"].map { "GET /v1/history?display=\($0)" })
    }

    @Test func `an invalid query is 400`() async throws {
        let (early, late) = ("2026-11-21T06:00:00Z", "2026-11-21T06:00:01Z")
        let queries: [String: [String]] = [
            "GET /v1/history?": [
                "from=yesterday", "to=2026-11-21", "from=", "step=0", "step=-1", "step=1.5", "step=x", "step=",
                "step=31536001", "step=99999999999999999999", "from=2026-11-21T06:00:00", "from=2026-02-30T00:00:00Z",
                "from=\(early)&to=\(early)", "from=\(late)&to=\(early)", "from=9999-12-31T00:00:00Z",
                "to=0000-01-01T00:00:00Z",
            ],
            "GET /v1/history/changes?": [
                "limit=0", "limit=1001", "limit=x", "limit=", "from=x", "to=", "from=\(late)&to=\(early)",
            ],
            // A command has no other parameter than the display of a shortcut.
            "PUT /v1/brightness?": [
                "displya=panel-1", "display=panel-1&display=panel-0", "display=all", "x", "access_token=y",
            ],
            "PUT /v1/displays/panel-0/brightness?": ["display=panel-1"], "PATCH /v1/simulator?": ["display=panel-0"],
            "GET /v1/displays/panel-0/leases?": ["kind=", "kind=glow", "kind=Boost", "kind=boost,dim"],
            "GET /v1/events?": [
                "types=brightnes", "types=boost,everything", "holder=%E2%80%8B", "holder=kiosk%EF%BB%BF",
            ],
            "GET /v1/displays?": [
                "tag=a%20b", "display=a/b", (0..<17).map { "tag=t\($0)" }.joined(separator: "&"),
            ],
        ]
        try await refuse(400, queries.flatMap { query in query.value.map { query.key + $0 } })
    }

    @Test func `a stream has at most 128 holders, and a WebSocket one`() async throws {
        let holders = (0...LeaseTable.principalLimit).map { "holder=\($0)" }.joined(separator: "&")
        try await refuse(400, ["GET /v1/events?\(holders)"])
        let handshake = [
            "Connection": "Upgrade, close", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        try await refuse(400, ["GET /v1/ws?holder=a&holder=b"], handshake)
    }

    @Test(arguments: [
        ("GET", "/v1/brightness", "text/html"), ("GET", "/v1/brightness", "application/json;q=0"),
        ("GET", "/v1/displays", "image/*"), ("GET", "/v1/events", "application/json"), ("GET", "/", "application/json"),
        ("GET", "/livez", "application/json"), ("GET", "/openapi.yaml", "text/html"),
        ("GET", "/v1/history", "image/png"),
        ("POST", "/v1/boost", "text/event-stream"),
    ])
    func `an unsupported Accept is 406`(method: String, path: String, accept: String) async throws {
        try await refuse(406, ["\(method) \(path)"], ["Accept": accept])
    }

    @Test func `a supported Accept is 200`() async throws {
        try await serving(ServedApplication()) { daemon throws in
            for accept in [
                "*/*", "application/json", "application/*", "text/html, application/json;q=0.1", "APPLICATION/JSON",
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/json; charset=utf-8",
            ] {
                #expect(try daemon.ask("GET", "/v1/brightness", ["Accept": accept]).status == 200, "\(accept)")
            }
        }
    }

    @Test func `a body needs a length, and is JSON of at most 16 KiB`() async throws {
        try await serving(ServedApplication()) { daemon in
            let (put, body) = ("/v1/brightness", #"{"brightness":0.6}"#)
            for (method, path) in [("PUT", put), ("PATCH", put), ("PATCH", Self.lease), ("PUT", "/v1/auto")] {
                try daemon.refuse(411, method, path, ["Content-Type": "application/json"])
            }
            for (method, path) in [("PUT", put), ("PATCH", put), ("POST", "/v1/boost"), ("POST", "/v1/restore")] {
                for type in ["text/plain", "application/x-www-form-urlencoded"] {
                    try daemon.refuse(415, method, path, ["Content-Type": type], body: body)
                }
            }
            for type in ["", "application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8"] {
                #expect(try daemon.ask("PUT", put, ["Content-Type": type], body: body).status == 200, "\(type)")
            }
            let full = body + String(repeating: " ", count: 16_384 - body.utf8.count)
            #expect(try daemon.ask("PUT", put, body: full).status == 200)
            try daemon.refuse(413, "PUT", put, body: full + " ")
        }
    }

    @Test func `a configuration of an administrator has at most 2 MiB`() async throws {
        let tokens = ["boss:admin:boss-0123456789abcdef", "writer:write:writer-0123456789abcdef"]
        try await serving(ServedApplication(tokens: tokens, anonymous: nil)) { daemon in
            func expect(_ status: Int, _ limit: String? = nil, of length: Int, as name: String) throws {
                let body = #"{"version":1}"#
                let full = body + String(repeating: " ", count: length - body.utf8.count)
                let chunk = "\(String(length, radix: 16))\r\n\(full)\r\n0\r\n\r\n"
                for (encoding, body) in [([:], full), (["Transfer-Encoding": "chunked", "Content-Length": ""], chunk)] {
                    let fields = ["Authorization": "Bearer \(name)-0123456789abcdef"].merging(encoding) { $1 }
                    let answer = try daemon.ask("PUT", "/v1/configuration", fields, body: body)
                    #expect(answer.status == status)
                    #expect(
                        limit.map { answer.body.contains("more than \($0), the maximum") } ?? true,
                        "\(answer.body)"
                    )
                }
            }
            try expect(200, of: 2_097_152, as: "boss")
            try expect(413, "2 MiB", of: 2_097_153, as: "boss")
            try expect(403, of: 16_384, as: "writer")
            try expect(413, "16,384 bytes", of: 16_385, as: "writer")
            try expect(413, "16,384 bytes", of: 16_385, as: "nobody")
        }
    }

    @Test func `a target of 2 KiB is 414, and fields of 8 KiB are 431`() async throws {
        try await serving(ServedApplication()) { daemon in
            let text = String(repeating: "y", count: 9_000)
            #expect(try daemon.ask("GET", "/v1/brightness?x=\(text.prefix(1_900))").status == 200)
            try daemon.refuse(414, "GET", "/v1/brightness?x=\(text.prefix(2_100))")
            try daemon.refuse(414, "GET", "/\(text.prefix(2_100))")
            // A browser on localhost sends the cookies of every port, often 4 KiB.
            #expect(try daemon.ask("GET", "/v1/brightness", ["Cookie": String(text.prefix(6_000))]).status == 200)
            try daemon.refuse(431, "GET", "/v1/brightness", ["Cookie": text])
        }
    }

    @Test(arguments: [
        ("GET", "/v1/brightness/", "Did you mean /v1/brightness, without the slash at the end?"),
        ("GET", "/v1/displays/", "Did you mean /v1/displays, without the slash at the end?"),
        ("GET", "/brightness", "Did you mean /v1/brightness?"), ("GET", "/v1/display", "Did you mean /v1/displays?"),
        ("GET", "/boost", "Did you mean /v1/boost?"), ("GET", "/v1/displays/a/bosot", "/v1/displays/a/boost?"),
        ("GET", "/V1/Brightness", "Did you mean /v1/brightness?"), ("GET", "/v1/boosts", "boost?"),
        ("PUT", "/v1/displays/a", "PUT /v1/displays/a/brightness"),
        ("GET", "/v1/groups/hal", #"Did you mean \"hall\"?"#),
        ("GET", "/v1/leases?kind=glow", "boost, dim, wake or sleep"),
    ])
    func `a refusal names what was probably meant`(method: String, path: String, hint: String) async throws {
        try await serving(ServedApplication()) { daemon in
            let answer = try daemon.ask(method, path, body: Self.bodies[method])
            #expect((400...405).contains(answer.status) && answer.body.contains(hint), "\(answer.body)")
        }
    }
}
