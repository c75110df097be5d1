// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import WebAssets

/// A file that is part of the program.
struct AssetFile: Sendable {
    /// As in `dashboard/card.js`.
    let name: String
    let mediaType: MediaType
    private let index: Int

    /// A copy: the program's image has the file, the heap only what is served.
    var bytes: [UInt8] {
        let asset = Self.embedded[index]
        return [UInt8](UnsafeBufferPointer(start: asset.bytes, count: asset.end - asset.bytes))
    }

    static let all = embedded.indices.map { index in
        let name = String(cString: embedded[index].name)
        return AssetFile(name: name, mediaType: .ofFile(named: name), index: index)
    }

    /// `/brightness.js` and its parts.
    static let module = all.filter { $0.name == "brightness.js" || $0.name.hasPrefix("brightness/") }

    /// The files that the pages of this daemon load.
    static let parts = all.filter { file in
        [MediaType.javaScript, .css, .manifest, .png, .svg].contains { $0.name == file.mediaType.name }
    }

    static subscript(name: String) -> AssetFile {
        guard let file = all.first(where: { $0.name == name }) else { fatalError("WebAssets.c has no \(name)") }
        return file
    }

    private static var embedded: UnsafeBufferPointer<WebAsset> {
        var count = 0
        let first = web_assets(&count)
        return UnsafeBufferPointer(start: first, count: count)
    }
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

    fileprivate static func ofFile(named name: String) -> MediaType {
        let suffix = name.split(separator: ".").last ?? ""
        guard let mediaType = bySuffix[String(suffix)] else { fatalError("No media type for \(name)") }
        return mediaType
    }

    private static let bySuffix: [String: MediaType] = [
        "css": .css, "html": .html, "js": .javaScript, "json": .json, "png": .png, "svg": .svg, "ts": .plainText,
        "webmanifest": .manifest, "yaml": .yaml,
    ]
}
