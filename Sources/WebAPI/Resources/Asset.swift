// SPDX-License-Identifier: Apache-2.0
import HTTPServer

/// A file under a path.
struct Asset: Sendable {
    let path: String
    let mediaType: MediaType
    /// Whether the path contains the version of the pages, so that browsers keep the file for ever.
    let isVersioned: Bool
    /// Weak: the compressed form has the same.
    let entityTag: String
    private let file: AssetFile

    private init(_ path: String, _ file: AssetFile, isVersioned: Bool = false) {
        self.path = path
        self.file = file
        mediaType = file.mediaType
        self.isVersioned = isVersioned
        entityTag = "W/\"\(ContentDigest(of: Self.content(of: file)).text)\""
    }

    var bytes: [UInt8] { Self.content(of: file) }

    private static func content(of file: AssetFile) -> [UInt8] { file.name == "dashboard.html" ? page : file.bytes }

    var isCompressible: Bool { mediaType.name != MediaType.png.name }

    /// The documents, the page, the module under its public paths, and every file under the versioned path.
    static let all: [Asset] = documents + kioskModule + versioned

    private static let documents =
        [Asset("/", AssetFile["dashboard.html"]), Asset("/docs", AssetFile["docs.html"])]
        + [
            "docs.css", "docs.js", "openapi.json", "brightness.d.ts", "package.json", "openapi.yaml", "asyncapi.yaml",
        ].map { Asset("/\($0)", AssetFile[$0]) }

    private static let kioskModule = AssetFile.module.map { Asset("/\($0.name)", $0) }

    private static let versioned = files.map { Asset("\(base)/\($0.name)", $0, isVersioned: true) }

    private static let files = AssetFile.module + AssetFile.dashboard + AssetFile.pictures

    /// The path of this version of the pages. Files import each other by relative paths: one version serves all.
    static let base = "/assets/\(ContentDigest(of: files.flatMap(\.bytes)).text)"

    /// The page, with the versioned paths and a preload of every script: a browser requests all of them at once.
    private static let page = [UInt8](
        String(decoding: AssetFile["dashboard.html"].bytes, as: UTF8.self)
            .replacing("<!-- {modules} -->", with: preloads)
            .replacing("{assets}", with: base)
            .utf8
    )

    private static let preloads =
        (AssetFile.module + AssetFile.dashboard)
        .filter { $0.name.hasSuffix(".js") && $0.name != "dashboard/early.js" }
        .map { "<link rel=\"modulepreload\" href=\"{assets}/\($0.name)\">" }
        .joined(separator: "\n    ")
}
