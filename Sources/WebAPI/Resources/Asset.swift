// SPDX-License-Identifier: Apache-2.0
import HTTPServer

/// An embedded file and its path.
struct Asset: Sendable {
    let path: String
    let mediaType: MediaType
    let bytes: [UInt8]
    /// Whether the path contains the version of the pages, so that browsers keep the file for ever.
    let isVersioned: Bool
    /// Weak: the compressed form has the same.
    let entityTag: String

    private init(_ path: String, _ mediaType: MediaType, _ bytes: [UInt8], isVersioned: Bool = false) {
        self.path = path
        self.mediaType = mediaType
        self.bytes = bytes
        self.isVersioned = isVersioned
        entityTag = "W/\"\(ContentDigest(of: bytes).text)\""
    }

    var isCompressible: Bool { mediaType.name != MediaType.png.name }

    /// The documents, the page, the module under its public paths, and every file under the versioned path.
    static let all: [Asset] = documents + kioskModule + versioned

    private static let documents = [
        Asset("/", .html, page),
        Asset("/docs", .html, PackageResources.docs_html),
        Asset("/docs.css", .css, PackageResources.docs_css),
        Asset("/docs.js", .javaScript, PackageResources.docs_js),
        Asset("/openapi.json", .json, PackageResources.openapi_json),
        Asset("/brightness.d.ts", .plainText, PackageResources.brightness_d_ts),
        Asset("/package.json", .json, PackageResources.package_json),
        Asset("/openapi.yaml", .yaml, PackageResources.openapi_yaml),
        Asset("/asyncapi.yaml", .yaml, PackageResources.asyncapi_yaml),
    ]

    private static let kioskModule = module.map { Asset("/\($0.name)", .javaScript, $0.bytes) }

    private static let versioned = files.map { Asset("\(base)/\($0.name)", $0.mediaType, $0.bytes, isVersioned: true) }

    private static let files = module + dashboard + pictures

    /// The path of this version of the pages. Files import each other by relative paths: one version serves all.
    static let base = "/assets/\(ContentDigest(of: files.flatMap(\.bytes)).text)"

    /// The page, with the versioned paths and a preload of every script: a browser requests all of them at once.
    private static let page = [UInt8](
        String(decoding: PackageResources.dashboard_html, as: UTF8.self)
            .replacing("<!-- {modules} -->", with: preloads)
            .replacing("{assets}", with: base)
            .utf8
    )

    private static let preloads =
        (module + dashboard)
        .filter { $0.name.hasSuffix(".js") && $0.name != "dashboard/early.js" }
        .map { "<link rel=\"modulepreload\" href=\"{assets}/\($0.name)\">" }
        .joined(separator: "\n    ")
}

extension MediaType {
    static let html = MediaType("text/html")
    static let javaScript = MediaType("text/javascript")
    static let css = MediaType("text/css")
    static let yaml = MediaType("application/yaml")
    static let svg = MediaType("image/svg+xml")
    static let png = MediaType("image/png")
    static let manifest = MediaType("application/manifest+json")

    var isText: Bool { name.hasPrefix("text/") }
}
