// SPDX-License-Identifier: Apache-2.0
internal import CZlib
import HTTPServer

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

    static func isAccepted(by request: Request) -> Bool { isAccepted(by: request.list("Accept-Encoding")) }

    /// `gzip` has priority over `*`.
    static func isAccepted(by field: String?) -> Bool {
        let choices = Accept.choices(in: field ?? "")
        return (choices.last { $0.name == "gzip" } ?? choices.last { $0.name == "*" })?.isAdmitted ?? false
    }
}
