// SPDX-License-Identifier: Apache-2.0
import HTTPServer

extension EventEncoding {
    /// Events whose data are JSON objects: as they are in event streams, as notifications of JSON-RPC 2.0 (section 4.1) over WebSockets.
    static let json = EventEncoding(
        resetData: Array("{}".utf8),
        data: { event, skipped in event.data.dropLast() + Array(",\"skipped\":\(skipped)}".utf8) },
        message: { event, data in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(data.count + 80)
            bytes += "{\"jsonrpc\":\"2.0\",\"method\":\"\(event.name)\",\"params\":".utf8
            bytes += data
            bytes.append(UInt8(ascii: "}"))
            return bytes
        }
    )
}
