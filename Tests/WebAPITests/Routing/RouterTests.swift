// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Testing

@testable import WebAPI

@Suite struct RouterTests {
    private let router = Router(Resource.all)

    @Test(arguments: [
        ("/brightness", "/v1/brightness"), ("/v1/brightness/", "/v1/brightness"), ("/V1/brightness", "/v1/brightness"),
        ("//v1/brightness", "/v1/brightness"), ("/v1/display", "/v1/displays"), ("/v1/displays/", "/v1/displays"),
        ("/v1/displays/a/bost", "/v1/displays/a/boost"), ("/displays/a/boost", "/v1/displays/a/boost"),
        ("/boost", "/v1/boost"), ("/v1/restores", "/v1/restore"), ("/doc", "/docs"), ("/openapi.jsn", "/openapi.json"),
        ("/v1/", "/v1"), ("/nothing", nil), ("/v1/displays/a/b/c/d", nil),
        ("/" + String(repeating: "v", count: 200), nil),
    ])
    func `an unknown path has a nearest one`(path: String, nearest: String?) {
        if nearest != nil { #expect(router.match(path) == nil) }
        #expect(router.nearest(to: path) == nearest)
    }

    @Test func `a method that a resource lacks is found below it`() {
        #expect(router.advice(for: .put, at: "/v1/displays/a").contains("/v1/displays/a/brightness"))
        #expect(router.advice(for: .post, at: "/v1/displays/a/brightness").isEmpty)
        #expect(router.advice(for: .put, at: "/v1/displays").isEmpty)
    }

    @Test(arguments: ["brightness", "boost", "restore", "auto"])
    func `a shortcut exists for each display and for all`(name: String) throws {
        let shortcut = try #require(router.match("/v1/\(name)")).resource
        let single = try #require(router.match("/v1/displays/a/\(name)")).resource
        #expect(router.match("/v1/displays/all/\(name)")?.resource.path.text == "/v1/displays/all/\(name)")
        #expect(shortcut.isShortcut)
        #expect(!single.isShortcut)
        #expect(shortcut.allow == single.allow)
    }
}
