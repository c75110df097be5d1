// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A text of a request's head in libmicrohttpd's memory, compared without a copy. Valid as long as the request.
package struct RequestText {
    let start: UnsafePointer<CChar>

    init(start: UnsafePointer<CChar>) { self.start = start }

    /// - Parameter value: Bytes that a zero byte follows, as libmicrohttpd guarantees.
    init?(_ value: UnsafeRawBufferPointer) {
        guard let start = value.baseAddress else { return nil }
        self.start = start.assumingMemoryBound(to: CChar.self)
    }

    var string: String { String(cString: start) }

    /// The value of a header field without surrounding white space (RFC 9112, section 5.1). libmicrohttpd leaves
    /// trailing white space.
    package var value: String {
        var count = strlen(start)
        while count > 0, start[count - 1] == 0x20 || start[count - 1] == 0x09 { count -= 1 }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    package static func == (text: RequestText, kept: CachedText) -> Bool {
        kept.bytes.withUnsafeBufferPointer { $0.baseAddress.map { strcmp(text.start, $0) == 0 } ?? false }
    }
}

/// A text that outlives its request, for comparison with later requests.
package struct CachedText: Sendable {
    fileprivate let bytes: ContiguousArray<CChar>

    package init(_ text: String) { bytes = text.utf8CString }
}
