// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer
import Testing

@testable import WebAPI

@Suite struct RouteTests {
    @Test(arguments: [
        ("/v1/displays", Route.displays, "GET, HEAD, OPTIONS"),
        ("/v1/displays/eDP-1", .display(.named("eDP-1")), "GET, HEAD, OPTIONS"),
        ("/v1/displays/eDP-1/brightness", .brightness(.named("eDP-1")), "GET, PUT, PATCH, HEAD, OPTIONS"),
        ("/v1/displays/a/boosts", .boosts(.named("a")), "GET, POST, HEAD, OPTIONS"),
        ("/v1/displays/a/boosts/7", .lease(.named("a"), LeaseID("7")), "GET, PATCH, DELETE, HEAD, OPTIONS"),
        ("/v1/displays/all/brightness", .brightness(.all), "PUT, PATCH, OPTIONS"),
        ("/v1/displays/all/boosts", .boosts(.all), "POST, OPTIONS"),
        ("/v1/displays/all/restore", .restore(.all), "POST, OPTIONS"),
        ("/v1/displays/all/auto", .auto(.all), "PUT, OPTIONS"),
        ("/v1/displays/a/restore", .restore(.named("a")), "POST, OPTIONS"),
        ("/v1/displays/a/auto", .auto(.named("a")), "PUT, OPTIONS"),
        ("/v1/brightness", .brightness(.byDefault), "GET, PUT, PATCH, HEAD, OPTIONS"),
        ("/v1/boost", .boost, "POST, OPTIONS"),
        ("/v1/restore", .restore(.byDefault), "POST, OPTIONS"),
        ("/v1/events", .events, "GET, HEAD, OPTIONS"),
        ("/v1/history", .history, "GET, HEAD, OPTIONS"),
        ("/v1/ws", .webSocket, "GET, HEAD, OPTIONS"),
        ("/events", .sensorEvents, "GET, HEAD, OPTIONS"),
        ("/sensor/ambient_light", .sensor(.objectID), "GET, HEAD, OPTIONS"),
        ("/sensor/Ambient Light", .sensor(.name), "GET, HEAD, OPTIONS"),
        ("/livez", .live, "GET, HEAD, OPTIONS"),
        ("/readyz", .ready, "GET, HEAD, OPTIONS"),
        ("/", .file(.page), "GET, HEAD, OPTIONS"),
        ("/openapi.yaml", .file(.openAPI), "GET, HEAD, OPTIONS"),
        ("/asyncapi.yaml", .file(.asyncAPI), "GET, HEAD, OPTIONS"),
        ("/problems/read-only", .problem(.readOnly), "GET, HEAD, OPTIONS"),
    ])
    func `a path is a resource`(path: String, route: Route, allow: String) {
        #expect(Route(path: path) == route)
        #expect(route.allow == allow)
    }

    @Test(arguments: [
        "", "/v1", "/v1/", "/v2/displays", "/v1/displays/a/x", "/v1/displays/a/boosts/b/c", "/problems/x", "/x",
        "/sensor", "/sensor/x", "/sensor/ambient_light/x", "x/v1/displays", "x/problems/read-only", "v1/displays",
    ])
    func `other paths are nothing`(path: String) {
        #expect(Route(path: path) == nil)
    }

    @Test func `a file that is served is there`() {
        for file in StaticFile.allCases { #expect(!file.response.body.isEmpty) }
    }
}
