// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import WebAPI

/// Paths as they are on the wire.
@Suite struct PathTests {
    @Test(arguments: [
        ("/v1/displays/panel-0", 200), ("/v1/displays/%70anel%2D0", 200), ("/%761/displays/panel-0", 200),
        ("/v1/displays?group=hall&x=%2F", 200), ("/v1/displays/panel-0?x=a%2Fb", 200),
        ("http://127.0.0.1/v1/displays/panel-0", 200), ("http://127.0.0.1/v1%2Fdisplays", 404),
        ("/v1%2fbrightness", 404), ("/v1/displays%2Fpanel-0", 404), ("/v1/displays/all%2Fboost", 404), ("/%2F", 404),
        ("/v1/displays/panel-0%2F?x", 404), ("/v1/displays/..%2f..%2fetc%2fpasswd", 404), ("/v1/displays/%252F", 404),
    ])
    func `an escaped slash separates nothing`(target: String, status: Int) async throws {
        try await serving(ServedApplication()) { daemon in
            let answer = try daemon.ask("GET", target)
            #expect(answer.status == status)
            #expect(status == 200 || answer.problem?.hasSuffix("not-found") == true)
        }
    }
}
