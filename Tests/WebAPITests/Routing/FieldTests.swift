// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import WebAPI

/// Header fields that would give a request another meaning.
@Suite struct FieldTests {
    @Test(arguments: [
        ("PUT", "/v1/brightness", #"{"percent":70}"#), ("PATCH", "/v1/brightness", #"{"delta":0.1}"#),
        ("POST", "/v1/boost", "{}"), ("POST", "/v1/displays/all/boost", "{}"),
        ("PUT", "/v1/groups/hall/power", #"{"on":false}"#),
        ("PUT", "/v1/presets/film", #"{"displays":{"all":{"on":true}}}"#), ("DELETE", "/v1/location", nil),
    ])
    func `a change with an Idempotency-Key is refused`(method: String, path: String, body: String?) async throws {
        try await serving(ServedApplication()) { daemon in
            let before = try daemon.ask("GET", "/v1/brightness").body
            let answer = try daemon.ask(method, path, ["Idempotency-Key": "k-1"], body: body)
            #expect(answer.status == 400 && answer.problem == "unsupported-field")
            #expect(try daemon.ask("GET", "/v1/brightness").body == before)
            #expect(try daemon.ask("GET", "/v1/brightness", ["Idempotency-Key": "k-1"]).status == 200)
        }
    }

    @Test(arguments: [("gzip", 415), ("identity, br", 415), ("Identity", 200)])
    func `a body with a content coding is refused`(coding: String, status: Int) async throws {
        try await serving(ServedApplication()) { daemon in
            for (method, path, body) in [
                ("PUT", "/v1/brightness", #"{"percent":70}"#), ("POST", "/v1/presets/none/apply", "{}"),
                ("POST", "/v1/boost", ""),
            ] {
                let answer = try daemon.ask(method, path, ["Content-Encoding": coding], body: body)
                #expect((answer.status == 415) == (status == 415))
                #expect(answer.fields["accept-encoding"] == (status == 415 ? "identity" : nil))
            }
        }
    }

    @Test(arguments: [
        ("text/plain", 200, "70\n"), ("text/plain, */*;q=0.1", 200, "70\n"), ("text/*", 200, "70\n"),
        ("application/json, text/plain;q=0.5", 200, nil), ("*/*", 200, nil), ("text/html", 406, nil),
    ])
    func `the brightness of a display is a percentage for shells`(accept: String, status: Int, text: String?)
        async throws
    {
        try await serving(ServedApplication()) { daemon in
            try daemon.ask("PUT", "/v1/brightness", body: #"{"percent":70}"#)
            // The second request would find a cached response.
            for path in ["/v1/brightness", "/v1/brightness", "/v1/displays/panel-0", "/v1/displays/panel-0/brightness"]
            {
                let answer = try daemon.ask("GET", path, ["Accept": accept])
                #expect(answer.status == status)
                if let text { #expect(answer.body == text) }
                if status == 200, text == nil { #expect(answer.body.contains(#""percent":70"#)) }
            }
            let put = try daemon.ask("PUT", "/v1/brightness", ["Accept": "text/plain"], body: #"{"percent":20}"#)
            #expect(put.status == 406)
        }
    }
}
