// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import Testing

@testable import WebAPI

/// Every way to change something over REST, and who may use it.
@Suite struct ScopeTests {
    struct Way: Sendable {
        let method: Method
        /// A path, or the last word of the paths of a display command.
        let path: String
        let body: String?
        let scope: Scope
        /// Whether a token for some displays may use it.
        let isOfDisplays: Bool

        init(_ method: Method, _ path: String, _ body: String?, _ scope: Scope, isOfDisplays: Bool = false) {
            (self.method, self.path, self.body) = (method, path, body)
            (self.scope, self.isOfDisplays) = (scope, isOfDisplays || !path.hasPrefix("/"))
        }

        /// The paths of `panel-0`, of both displays and of their group.
        var paths: [String] {
            if path.hasPrefix("/") { return [path] }
            return ["/v1/", "/v1/displays/panel-0/", "/v1/displays/all/", "/v1/groups/hall/"].map { $0 + path }
        }
    }

    private static let lease = "/v1/displays/panel-0/leases/00000000000000000000000000000000"

    static let ways = [
        Way(.put, "brightness", #"{"percent":70}"#, .write), Way(.patch, "brightness", #"{"delta":0.1}"#, .write),
        Way(.put, "power", #"{"on":true}"#, .write), Way(.put, "auto", #"{"enabled":false}"#, .write),
        Way(.post, "boost", "{}", .write), Way(.post, "dim", "{}", .write), Way(.post, "wake", "{}", .write),
        Way(.post, "sleep", "{}", .write), Way(.post, "leases", #"{"kind":"boost"}"#, .write),
        Way(.post, "restore", "{}", .write), Way(.post, "restore", #"{"all":true}"#, .admin),
        Way(.patch, lease, #"{"ttl":60}"#, .write, isOfDisplays: true),
        Way(.delete, lease, nil, .write, isOfDisplays: true),
        Way(.put, "/v1/displays/panel-0/settings", #"{"name":"Left"}"#, .admin, isOfDisplays: true),
        Way(.put, "/v1/presets/film", #"{"displays":{"all":{"on":true}}}"#, .admin),
        Way(.delete, "/v1/presets/film", nil, .admin),
        Way(.post, "/v1/presets/film/apply", "{}", .write, isOfDisplays: true),
        Way(.put, "/v1/schedules/night", #"{"from":"22:00","to":"06:00","dim":0.2}"#, .admin),
        Way(.patch, "/v1/schedules/night", #"{"paused":true}"#, .admin),
        Way(.delete, "/v1/schedules/night", nil, .admin),
        Way(.put, "/v1/location", #"{"latitude":52.52,"longitude":13.4}"#, .admin),
        Way(.delete, "/v1/location", nil, .admin),
        Way(.put, "/v1/configuration", #"{"version":1}"#, .admin),
        Way(.put, "/v1/ambient/window", #"{"illuminance":300}"#, .write),
        Way(.delete, "/v1/ambient/window", nil, .write),
        Way(.post, "/v1/activity", "{}", .write),
        Way(.patch, "/v1/simulator", #"{"near":true}"#, .write),
        Way(.put, "/v1/home-assistant/key-window", "{}", .admin),
        Way(.delete, "/v1/home-assistant/key-window", nil, .admin),
    ]

    private static let scopes: [(name: String, scope: Scope)] = [
        ("reader", .read), ("writer", .write), ("boss", .admin), ("kiosk", .write),
    ]
    private static let tokens = [
        "reader:read:\(secret("reader"))", "writer:write:\(secret("writer"))", "boss:admin:\(secret("boss"))",
        "kiosk:write[panel-0]:\(secret("kiosk"))",
    ]

    private static func secret(_ name: String) -> String { "\(name)-0123456789abcdef" }

    private static func bearer(_ name: String) -> [String: String] { ["Authorization": "Bearer \(secret(name))"] }

    @Test(arguments: ways)
    func `a change needs its scope`(way: Way) async throws {
        let served = try ServedApplication(displays: 2, tokens: Self.tokens, anonymous: nil)
        try await serving(served) { daemon in
            for path in way.paths {
                let method = way.method.rawValue
                #expect(try daemon.ask(method, path, body: way.body).status == 401)
                for (name, scope) in Self.scopes {
                    let status = try daemon.ask(method, path, Self.bearer(name), body: way.body).status
                    let isLimited = name == "kiosk" && !way.isOfDisplays
                    #expect((status == 403) == (scope < way.scope || isLimited), "\(name) \(path): \(status)")
                    #expect(status != 401)
                }
            }
        }
    }

    @Test func `the table has every way`() {
        let router = Router(Resource.all)
        let known = Set(
            Self.ways.flatMap { way in
                way.paths.compactMap { router.match($0).map { "\(way.method.rawValue) \($0.resource.path.text)" } }
            }
        )
        for resource in Resource.all {
            for method in resource.methods where method != .get {
                let way = "\(method.rawValue) \(resource.path.text)"
                #expect(known.contains(way), "\(way)")
            }
        }
    }

    @Test(arguments: ways.filter { !$0.path.hasPrefix("/") && $0.scope == .write })
    func `a token for one display reaches no other`(way: Way) async throws {
        let served = try ServedApplication(displays: 2, tokens: Self.tokens, anonymous: nil)
        try await serving(served) { daemon in
            func other() throws -> String { try daemon.ask("GET", "/v1/displays/panel-1", Self.bearer("reader")).body }
            let (method, before, kiosk) = (way.method.rawValue, try other(), Self.bearer("kiosk"))
            for path in ["/v1/displays/panel-1/\(way.path)", "/v1/\(way.path)?display=panel-1"] {
                #expect(try daemon.ask(method, path, kiosk, body: way.body).status == 403)
            }
            for path in ["/v1/displays/all/\(way.path)", "/v1/groups/hall/\(way.path)"] {
                let answer = try daemon.ask(method, path, kiosk, body: way.body)
                #expect(answer.status == 200 && answer.body.contains("panel-0") && !answer.body.contains("panel-1"))
            }
            #expect(try other() == before)
        }
    }

    @Test(arguments: [(1, 204), (2, 403)])
    func `a token for every display of the machine may report activity`(displays: Int, status: Int) async throws {
        let served = try ServedApplication(displays: displays, tokens: Self.tokens, anonymous: nil)
        try await serving(served) { daemon in
            let activity = try daemon.ask("POST", "/v1/activity", Self.bearer("kiosk"))
            // Changes of the machine itself are refused to it nevertheless.
            let reading = try daemon.ask("DELETE", "/v1/ambient/window", Self.bearer("kiosk"))
            #expect(activity.status == status && reading.status == 403)
        }
    }
}
