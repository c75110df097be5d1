// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Load

@Suite struct ChunkedDecoderTests {
    private static let body = "5\r\nabcde\r\n1a;name=value\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n"

    @Test(arguments: 1...body.utf8.count)
    func `payload is the same wherever the reads are cut`(size: Int) throws {
        var decoder = ChunkedDecoder()
        var payload: [UInt8] = []
        for part in Array(Self.body.utf8).chunks(of: size) {
            var part = part
            let decoded = part.withUnsafeMutableBytes { bytes in
                Result { () throws(LoadError) in try decoder.decode(bytes) }
            }
            payload += part[..<(try decoded.get())]
        }
        #expect(String(decoding: payload, as: UTF8.self) == "abcdeabcdefghijklmnopqrstuvwxyz")
        #expect(decoder.hasEnded)
    }

    @Test(arguments: ["x\r\n", "2\r\nabc\r\n"])
    func `invalid framing is rejected`(body: String) {
        var decoder = ChunkedDecoder()
        var bytes = Array(body.utf8)
        #expect(throws: LoadError.self) {
            try bytes.withUnsafeMutableBytes { _ = try decoder.decode($0) }
        }
    }
}

extension Array {
    func chunks(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
