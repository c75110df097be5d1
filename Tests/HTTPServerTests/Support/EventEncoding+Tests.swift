// SPDX-License-Identifier: Apache-2.0

@testable import HTTPServer

extension EventEncoding {
    /// The encoding of the API: JSON, and JSON-RPC over WebSockets.
    static let json = EventEncoding(
        resetData: Array("{}".utf8),
        data: { event, skipped in event.data.dropLast() + Array(",\"skipped\":\(skipped)}".utf8) },
        message: { event, data in
            Array("{\"jsonrpc\":\"2.0\",\"method\":\"\(event.name)\",\"params\":".utf8) + data + Array("}".utf8)
        }
    )
}

extension StreamFormats {
    static let json = StreamFormats(.json)
}

extension RetainedEvents {
    init() { self.init(.json) }
}
