// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
internal import CZlib
import HTTPServer

extension Resource {
    /// The embedded files: the dashboard, the module for kiosk pages and the API descriptions.
    static let assets = Asset.all.map { asset in
        Resource(
            asset.path,
            mediaType: asset.mediaType,
            .get(scope: nil) { context in
                let isCompressed = Gzip.isAccepted(by: context.request)
                return .cached(
                    context.backend.cache.file(at: asset.path, isCompressed: isCompressed) {
                        isCompressed ? asset.compressed : asset.response
                    }
                )
            }
        )
    }
}

/// An embedded file and its path.
struct Asset: Sendable {
    let path: String
    let mediaType: MediaType
    private let bytes: @Sendable () -> [UInt8]

    private init(_ path: String, _ mediaType: MediaType, bytes: @autoclosure @escaping @Sendable () -> [UInt8]) {
        self.path = path
        self.mediaType = mediaType
        self.bytes = bytes
    }

    private static func script(_ path: String, _ bytes: @autoclosure @escaping @Sendable () -> [UInt8]) -> Asset {
        Asset(path, .javaScript, bytes: bytes())
    }

    static let all = [
        Asset("/", .html, bytes: PackageResources.dashboard_html),
        Asset("/docs", .html, bytes: PackageResources.docs_html),
        Asset("/docs.css", .css, bytes: PackageResources.docs_css),
        script("/docs.js", PackageResources.docs_js),
        Asset("/openapi.json", .json, bytes: PackageResources.openapi_json),
        Asset("/openapi.yaml", .yaml, bytes: PackageResources.openapi_yaml),
        Asset("/asyncapi.yaml", .yaml, bytes: PackageResources.asyncapi_yaml),

        Asset("/brightness.d.ts", .plainText, bytes: PackageResources.brightness_d_ts),
        Asset("/package.json", .json, bytes: PackageResources.package_json),
        script("/brightness.js", PackageResources.brightness_js),
        script("/brightness/authorize.js", PackageResources.authorize_js),
        script("/brightness/boost.js", PackageResources.boost_js),
        script("/brightness/cover.js", PackageResources.cover_js),
        script("/brightness/display.js", PackageResources.display_js),
        script("/brightness/feed.js", PackageResources.feed_js),
        script("/brightness/gauge.js", PackageResources.gauge_js),
        script("/brightness/hold.js", PackageResources.hold_js),
        script("/brightness/page.js", PackageResources.page_js),
        script("/brightness/paint.js", PackageResources.paint_js),
        script("/brightness/screen.js", PackageResources.screen_js),
        script("/brightness/server.js", PackageResources.server_js),
        script("/brightness/stream.js", PackageResources.stream_js),
        script("/brightness/style.js", PackageResources.style_js),
        script("/brightness/visibility.js", PackageResources.visibility_js),
        script("/brightness/warnings.js", PackageResources.warnings_js),

        Asset("/dashboard.css", .css, bytes: PackageResources.dashboard_css),
        script("/dashboard.js", PackageResources.dashboard_js),
        script("/dashboard/access.js", PackageResources.access_js),
        script("/dashboard/card.js", PackageResources.card_js),
        script("/dashboard/chart.js", PackageResources.chart_js),
        script("/dashboard/history.js", PackageResources.history_js),
        script("/dashboard/memory.js", PackageResources.memory_js),
        script("/dashboard/room.js", PackageResources.room_js),
        script("/dashboard/sender.js", PackageResources.sender_js),
        script("/dashboard/simulator.js", PackageResources.simulator_js),
        script("/dashboard/tips.js", PackageResources.tips_js),
        script("/dashboard/words.js", PackageResources.words_js),
    ]

    /// Allows no other host, no inline code and no markup from text.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'"

    var response: Response {
        Response(
            status: 200,
            fields: (path == "/" ? [Response.documentLinks] : []) + [
                ("Content-Type", mediaType.isText ? "\(mediaType.name); charset=utf-8" : mediaType.name),
                ("Cache-Control", "no-cache"),
                ("Content-Security-Policy", Self.policy),
                ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "no-referrer"),
                // Pages of other origins may load the module, if they are allowed ones.
                ("Vary", "Origin, Accept-Encoding"),
            ],
            body: bytes()
        )
    }

    /// The gzip response; the plain one if compression fails.
    fileprivate var compressed: Response {
        var response = self.response
        guard let body = Gzip.encode(response.body) else { return response }
        response.body = body
        response.fields.append(("Content-Encoding", "gzip"))
        return response
    }
}

extension MediaType {
    fileprivate static let html = MediaType("text/html")
    fileprivate static let javaScript = MediaType("text/javascript")
    fileprivate static let css = MediaType("text/css")
    fileprivate static let yaml = MediaType("application/yaml")

    fileprivate var isText: Bool { name.hasPrefix("text/") }
}

/// Gzip compression of files (RFC 9110, section 12.5.3), once per shard. Other responses are small and sent plain.
enum Gzip {
    /// Returns `nil` without enough memory.
    static func encode(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard cz_begin_gzip(&stream) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
        let isWhole = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                return deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
        }
        return isWhole ? Array(output.prefix(Int(stream.total_out))) : nil
    }

    static func isAccepted(by request: Request) -> Bool { isAccepted(by: request.header("Accept-Encoding")) }

    /// `gzip` has priority over `*`.
    static func isAccepted(by field: String?) -> Bool {
        let choices = Accept.choices(in: field ?? "")
        return (choices.last { $0.name == "gzip" } ?? choices.last { $0.name == "*" })?.isAdmitted ?? false
    }
}
