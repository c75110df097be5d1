// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Load

@Suite struct ResponseTests {
    private static func response(_ text: String) throws -> Response? {
        try Array(text.utf8).withUnsafeBytes { try Response(head: $0) }
    }

    @Test func `the head contains status, type and length`() throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\ncontent-length:  12\r\n\r\n"
        let response = try #require(try Self.response(head + #"{"a":"b""#))
        #expect(response.status == 200)
        #expect(response.contentType == "application/json")
        #expect(response.length == head.utf8.count + 12)
        #expect(!response.closes)
    }

    @Test(arguments: [
        ("HTTP/1.1 204 No Content\r\n\r\n", 204, 0, false),
        ("HTTP/1.1 400 Bad Request\r\nContent-Length: 3\r\nConnection: close\r\n\r\n", 400, 3, true),
    ])
    func `bodies may be absent and connections end`(head: String, status: Int, length: Int, closes: Bool) throws {
        let response = try #require(try Self.response(head))
        #expect(response.status == status)
        #expect(response.bodyLength == length)
        #expect(response.closes == closes)
    }

    @Test func `a partial head is not a response yet`() throws {
        #expect(try Self.response("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n") == nil)
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n\r\n"])
    func `a response without a length, or that is not HTTP, is rejected`(head: String) {
        #expect(throws: LoadError.self) { try Self.response(head) }
    }
}
