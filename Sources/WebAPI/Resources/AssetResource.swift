// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
internal import CZlib
import HTTPServer

extension Resource {
    /// The embedded files: the dashboard, the module for kiosk pages and the API descriptions.
    static let assets = Asset.all.map { asset in
        Resource(
            asset.path,
            mediaType: asset.mediaType,
            .get(scope: nil) { context in
                if asset.isKnown(to: context.request) { return .now(asset.unchanged) }
                let isCompressed = asset.isCompressible && Gzip.isAccepted(by: context.request.list("Accept-Encoding"))
                return .cached(
                    context.backend.cache.file(at: asset.path, isCompressed: isCompressed) {
                        isCompressed ? asset.compressed : asset.response
                    }
                )
            }
        )
    }
}

extension Asset {
    /// Allows no other host, no inline code and no markup from text.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; "
        + "require-trusted-types-for 'script'"

    var response: Response {
        Response(
            status: 200,
            fields: (path == "/" ? [Response.documentLinks] : []) + [
                ("Content-Type", mediaType.isText ? "\(mediaType.name); charset=utf-8" : mediaType.name),
                ("Content-Security-Policy", Self.policy),
                ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "same-origin"),
            ] + cacheFields,
            body: bytes
        )
    }

    /// The response to a client that has this content.
    fileprivate var unchanged: Response { Response(status: 304, fields: cacheFields) }

    private var cacheFields: [Response.Field] {
        [
            // A path with the version never has other content.
            ("Cache-Control", isVersioned ? "public, max-age=31536000, immutable" : "no-cache"),
            ("ETag", Self.entityTag),
        ] + originFields
    }

    /// A page of an origin that is not allowed loads the module as well, which then warns of that on its console.
    private var originFields: [Response.Field] {
        isModule ? [CORS.everyOrigin, ("Vary", "Accept-Encoding")] : [("Vary", "Origin, Accept-Encoding")]
    }

    /// The gzip response; the plain one if compression fails.
    fileprivate var compressed: Response {
        var response = self.response
        guard let body = Gzip.encode(response.body) else { return response }
        response.body = body
        response.fields.append(("Content-Encoding", "gzip"))
        return response
    }

    /// Whether `If-None-Match` names this content.
    fileprivate func isKnown(to request: Request) -> Bool {
        guard let field = request.list("If-None-Match") else { return false }
        let tags = Condition.tags(in: field)
        return tags.contains { $0 == "*" || $0 == Asset.entityTag || $0 == Asset.entityTag.dropFirst(2) }
    }
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

    /// Whether `Accept-Encoding` admits it. `gzip` has priority over `*`.
    static func isAccepted(by field: String?) -> Bool {
        let choices = Accept.qualities(in: field ?? "")
        return (choices.last { $0.name == "gzip" } ?? choices.last { $0.name == "*" })?.quality ?? 0 > 0
    }
}
