// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import WebAPI

@Suite struct GzipTests {
    @Test(arguments: [
        ("gzip", true), ("gzip, deflate, br", true), ("br;q=1.0, GZIP;q=0.8", true), ("*", true), ("br, *;q=0.1", true),
        (nil, false), ("", false), ("identity", false), ("br", false), ("gzip;q=0", false), ("*;q=0", false),
        ("gzip;q=0, *", false), ("gzip ; q=0", false), ("xgzip", false),
    ])
    func `gzip is sent only to clients that accept it`(field: String?, isAdmitted: Bool) {
        #expect(Gzip.isAccepted(by: field) == isAdmitted)
    }

    @Test(arguments: [0, 1, 100_000]) func `text is encoded as gzip, and long text gets smaller`(count: Int) throws {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: count)
        let encoded = try #require(Gzip.encode(text))
        #expect(encoded.prefix(3) == [0x1F, 0x8B, 8])
        // RFC 1952: the last four bytes are the length of the text.
        #expect(Array(encoded.suffix(4)) == (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) })
        #expect(encoded.count < 200)
    }
}
