// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A piece of a request's head where it lies in libmicrohttpd's memory: compared without a copy. Valid as long as the
/// request is.
package struct RequestText {
    let start: UnsafePointer<CChar>

    init(start: UnsafePointer<CChar>) { self.start = start }

    /// - Parameter value: What libmicrohttpd ends with a zero byte.
    init?(_ value: UnsafeRawBufferPointer) {
        guard let start = value.baseAddress else { return nil }
        self.start = start.assumingMemoryBound(to: CChar.self)
    }

    package var string: String { String(cString: start) }

    /// Of a header field: without the white space around it (RFC 9112, section 5.1), of which libmicrohttpd leaves what is behind.
    package var value: String {
        var count = strlen(start)
        while count > 0, start[count - 1] == 0x20 || start[count - 1] == 0x09 { count -= 1 }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    package static func == (text: RequestText, kept: KeptText) -> Bool {
        kept.bytes.withUnsafeBufferPointer { $0.baseAddress.map { strcmp(text.start, $0) == 0 } ?? false }
    }
}

/// Text that outlives its request, to compare the next one's with.
package struct KeptText: Sendable {
    fileprivate let bytes: ContiguousArray<CChar>

    package init(_ text: String) { bytes = text.utf8CString }
}
