// SPDX-License-Identifier: Apache-2.0
internal import CZlib
import HTTPServer

/// A file at a path.
struct Asset: Sendable {
    let path: String
    let mediaType: MediaType
    /// Whether the path contains the version of the pages, so that browsers keep the file for ever.
    let isVersioned: Bool
    /// Whether it is the module for pages, or a part of it, at its public path.
    let isModule: Bool
    private let file: AssetFile

    private init(_ path: String, _ file: AssetFile, isVersioned: Bool = false, isModule: Bool = false) {
        self.path = path
        self.file = file
        mediaType = file.mediaType
        self.isVersioned = isVersioned
        self.isModule = isModule
    }

    var bytes: [UInt8] { mediaType.name == MediaType.html.name ? Self.page(file) : file.bytes }

    var isCompressible: Bool { mediaType.name != MediaType.png.name }

    /// The documents, the pages, the module at its public paths, and every part at the versioned path.
    static let all: [Asset] = documents + kioskModule + versioned

    private static let documents: [Asset] =
        [("/", "dashboard.html"), ("/docs", "docs.html"), ("/favicon.ico", "icon.png")].map { Asset($0, AssetFile[$1]) }
        + [
            "openapi.json", "brightness.d.ts", "package.json", "openapi.yaml", "asyncapi.yaml",
        ].map { Asset("/\($0)", AssetFile[$0]) }

    private static let kioskModule = AssetFile.module.map { Asset("/\($0.name)", $0, isModule: true) }

    private static let versioned = AssetFile.parts.map { Asset("\(base)/\($0.name)", $0, isVersioned: true) }

    /// The path of this version of the pages. Files import each other by relative paths: one version serves all.
    static let base = "/assets/\(version)"

    /// One tag for every file, because they change together, with the daemon. Weak, because the compressed form has the
    /// same.
    static let entityTag = "W/\"\(version)\""

    /// The CRC-32 of every file, in hexadecimal. It distinguishes versions, and proves no origin.
    private static let version = String(
        AssetFile.all.reduce(crc32(0, nil, 0)) { crc32($0, $1.bytes, UInt32($1.bytes.count)) },
        radix: 16
    )

    /// A page with the versioned paths, which are relative: a proxy may serve it below a path of its own.
    private static func page(_ file: AssetFile) -> [UInt8] {
        [UInt8](
            String(decoding: file.bytes, as: UTF8.self)
                .replacing("{assets}", with: base.dropFirst())
                .utf8
        )
    }
}
