// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import Testing

@testable import WebAPI

@Suite struct ResourceTests {
    private static let router = Router(Resource.all)

    @Test(arguments: [
        ("/v1/displays", "/v1/displays", "GET, HEAD, OPTIONS"),
        ("/v1/displays/eDP-1", "/v1/displays/{id}", "GET, HEAD, OPTIONS"),
        ("/v1/displays/all", "/v1/displays/{id}", "GET, HEAD, OPTIONS"),
        ("/v1/displays/eDP-1/brightness", "/v1/displays/{id}/brightness", "GET, PUT, PATCH, HEAD, OPTIONS"),
        ("/v1/displays/a/boost", "/v1/displays/{id}/boost", "GET, POST, HEAD, OPTIONS"),
        ("/v1/displays/a/leases", "/v1/displays/{id}/leases", "GET, POST, HEAD, OPTIONS"),
        ("/v1/displays/a/leases/7", "/v1/displays/{id}/leases/{lease}", "GET, PATCH, DELETE, HEAD, OPTIONS"),
        ("/v1/displays/all/leases/7", "/v1/displays/{id}/leases/{lease}", "GET, PATCH, DELETE, HEAD, OPTIONS"),
        ("/v1/displays/all/brightness", "/v1/displays/all/brightness", "PUT, PATCH, OPTIONS"),
        ("/v1/displays/all/boost", "/v1/displays/all/boost", "GET, POST, HEAD, OPTIONS"),
        ("/v1/displays/all/restore", "/v1/displays/all/restore", "POST, OPTIONS"),
        ("/v1/displays/all/auto", "/v1/displays/all/auto", "GET, PUT, HEAD, OPTIONS"),
        ("/v1/displays/a/restore", "/v1/displays/{id}/restore", "POST, OPTIONS"),
        ("/v1/displays/a/auto", "/v1/displays/{id}/auto", "GET, PUT, HEAD, OPTIONS"),
        ("/v1/brightness", "/v1/brightness", "GET, PUT, PATCH, HEAD, OPTIONS"),
        ("/v1/boost", "/v1/boost", "GET, POST, HEAD, OPTIONS"),
        ("/v1/auto", "/v1/auto", "GET, PUT, HEAD, OPTIONS"),
        ("/v1", "/v1", "GET, HEAD, OPTIONS"),
        ("/v1/restore", "/v1/restore", "POST, OPTIONS"),
        ("/v1/simulator", "/v1/simulator", "GET, PATCH, HEAD, OPTIONS"),
        ("/v1/ambient", "/v1/ambient", "GET, HEAD, OPTIONS"),
        ("/v1/ambient/window", "/v1/ambient/{name}", "PUT, DELETE, OPTIONS"),
        ("/sensor/Ambient Light", "/sensor/Ambient Light", "GET, HEAD, OPTIONS"),
        ("/sensor/ambient_light", "/sensor/ambient_light", "GET, HEAD, OPTIONS"),
        ("/problems/forbidden", "/problems/forbidden", "GET, HEAD, OPTIONS"),
    ])
    func `a path is routed to its resource`(path: String, template: String, allow: String) throws {
        let resource = try #require(Self.router.match(path)).resource
        #expect(resource.path.text == template)
        #expect(resource.allow == allow)
    }

    @Test(arguments: [
        "", "/v1/", "/v1/displays/", "/v2/displays", "/v1/displays/a/x", "/v1/displays/a/leases/b/c", "/problems/x",
        "/x", "/v1/boosts", "/v1/displays/a/boosts", "/v1/displays/all/boosts", "/v1/groups/a/boosts",
        "/v1/displays/a/boosts/7",
        "/sensor", "/sensor/x", "/sensor/ambient_light/x", "x/v1/displays", "x/problems/forbidden", "v1/displays",
        "x/v1/displays/a",
    ])
    func `other paths are not routed`(path: String) {
        #expect(Self.router.match(path) == nil)
    }

    @Test func `the parameters of a path have its values`() throws {
        let match = try #require(Self.router.match("/v1/displays/eDP-1/leases/7"))
        #expect(match.resource.path.value(of: "id", in: match.segments) == "eDP-1")
        #expect(match.resource.path.value(of: "lease", in: match.segments) == "7")
        #expect(match.resource.path.value(of: "other", in: match.segments) == nil)
    }

    @Test func `every path is described in openapi.yaml with its methods, alone or by a parameter`() throws {
        let asset = try #require(Asset.all.first { $0.path == "/openapi.yaml" })
        let document = String(decoding: asset.response.body, as: UTF8.self)
        for resource in Resource.all where !resource.isInFamily {
            let paragraph = try #require(
                document.firstRange(of: "\n  \(resource.path.text):\n"),
                "\(resource.path.text) is missing"
            )
            let lines = document[paragraph.upperBound...].split(separator: "\n").prefix { $0.hasPrefix("   ") }
            for method in [Method.get, .put, .post, .patch, .delete] {
                let isDescribed = lines.contains { $0 == "    \(method.rawValue.lowercased()):" }
                #expect(isDescribed == (resource.operation(method) != nil), "\(method.rawValue) \(resource.path.text)")
            }
        }
    }

    @Test func `every served file has content`() {
        for asset in Asset.all { #expect(!asset.response.body.isEmpty) }
    }
}

extension Resource {
    /// Whether `openapi.yaml` describes the path together with others, by a parameter.
    fileprivate var isInFamily: Bool {
        ["/sensor/", "/problems/", "/brightness/", "/assets/"].contains { path.text.hasPrefix($0) }
    }
}
