// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Testing

@testable import WebAPI

/// The methods of every path, and the fields that all answers to one path share.
@Suite struct MethodTests {
    private static let names = [
        "{id}": "panel-0", "{group}": "hall", "{lease}": String(repeating: "0", count: 32), "{name}": "film",
    ]

    private static func path(of resource: Resource) -> String {
        names.reduce(resource.path.text.replacing(" ", with: "%20")) { $0.replacing($1.key, with: $1.value) }
    }

    private static let preset = #"{"displays":{"all":{"brightness":0.3}}}"#

    @Test func `OPTIONS lists the methods of every path, and another method is 405`() async throws {
        try await serving(ServedApplication()) { daemon in
            for resource in Resource.all {
                let path = Self.path(of: resource)
                let options = try daemon.ask("OPTIONS", path)
                #expect(options.status == 204 && options.fields["allow"] == resource.allow)
                let allowed = Set(resource.allow.split(separator: ", ").map { String($0) })
                if !path.hasPrefix("/assets/") { #expect(allowed == Contract.methods(of: path), "\(path)") }
                for method in ["GET", "PUT", "POST", "PATCH", "DELETE", "TRACE", "BREW"]
                where !allowed.contains(method) {
                    #expect(try daemon.refuse(405, method, path).fields["allow"] == resource.allow)
                }
            }
        }
    }

    @Test func `HEAD has the status and the fields of GET`() async throws {
        try await serving(ServedApplication()) { daemon in
            try daemon.ask("PUT", "/v1/presets/film", body: Self.preset)
            for resource in Resource.all
            where resource.methods.contains(.get) && !resource.isStream && resource.path.text != "/metrics" {
                let path = Self.path(of: resource)
                let (head, get) = (try daemon.ask("HEAD", path), try daemon.ask("GET", path))
                #expect(head.status == get.status && head.body.isEmpty)
                #expect(head.fields.filter { $0.key != "date" } == get.fields.filter { $0.key != "date" }, "\(path)")
            }
        }
    }

    @Test(arguments: [
        ("GET", "/v1/brightness"), ("GET", "/v1/displays"), ("GET", "/v1"), ("POST", "/v1/boost"), ("GET", "/readyz"),
        ("GET", "/nothing"), ("GET", "/v1/history"), ("GET", "/problems/forbidden"), ("GET", "/livez"),
    ])
    func `a body ends with one newline`(method: String, path: String) async throws {
        try await serving(ServedApplication()) { daemon in
            let body = try daemon.ask(method, path).body
            #expect(body.hasSuffix("\n") && !body.hasSuffix("\n\n"))
        }
    }

    @Test func `the index and the links lead to every document`() async throws {
        try await serving(ServedApplication()) { daemon in
            let index = try daemon.ask("GET", "/v1")
            for link in index["links"]?.elements ?? [] {
                guard case .string(let path)? = link["href"], case .array(let methods)? = link["methods"] else {
                    Issue.record("\(link)")
                    return
                }
                let known = Contract.methods(of: path).subtracting(["HEAD", "OPTIONS"])
                #expect(methods.count == known.count && known.allSatisfy { methods.contains(.string($0)) }, "\(path)")
            }
            for path in Contract.templates where path.hasPrefix("/v1/") { #expect(index.body.contains(path)) }
            for path in ["/v1", "/", "/.well-known/api-catalog"] {
                let link = try #require(try daemon.ask("HEAD", path).fields["link"])
                #expect(link.contains("rel=\"service-desc\""))
                for target in link.matches(of: /<([^>]+)>/) {
                    #expect(try daemon.ask("GET", String(target.1)).status == 200)
                }
            }
            let catalog = try daemon.ask("GET", "/.well-known/api-catalog")
            #expect(catalog.fields["content-type"]?.hasPrefix("application/linkset+json") == true)
            for relation in ["service-desc", "service-doc", "status"] {
                for target in catalog["linkset/0/\(relation)"]?.elements ?? [] {
                    guard case .string(let path)? = target["href"], case .string(let type)? = target["type"] else {
                        Issue.record("\(target)")
                        return
                    }
                    #expect(try daemon.ask("GET", path).fields["content-type"]?.hasPrefix(type) == true)
                }
            }
        }
    }

    @Test func `a client that has a file is not sent it again`() async throws {
        try await serving(ServedApplication()) { daemon in
            for asset in Asset.all where asset.isCompressible {
                let first = try daemon.ask("GET", asset.path)
                let cached = asset.path.hasPrefix("/assets") ? "public, max-age=31536000, immutable" : "no-cache"
                #expect(first.fields["cache-control"] == cached)
                let tag = try #require(first.fields["etag"])
                for known in [tag, String(tag.dropFirst(2)), "\"x\", \(tag)", "*"] {
                    let again = try daemon.ask("GET", asset.path, ["If-None-Match": known])
                    #expect(again.status == 304 && again.body.isEmpty && again.fields["etag"] == tag)
                }
                #expect(try daemon.ask("GET", asset.path, ["If-None-Match": "\"x\""]).body == first.body)
            }
            try daemon.refuse(404, "GET", Asset.base + "x/dashboard.css")
            #expect(
                try daemon.ask("GET", "/v1/displays", ["Accept-Encoding": "gzip"]).fields["content-encoding"] == nil
            )
            for coding in ["br", "identity", "gzip;q=0"] {
                #expect(try daemon.ask("GET", "/", ["Accept-Encoding": coding]).fields["content-encoding"] == nil)
            }
        }
    }
}
