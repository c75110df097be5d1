// SPDX-License-Identifier: Apache-2.0

internal import CSystem

extension UnsafeRawBufferPointer {
    /// Returns the index of `needle` at or after `start`.
    @inline(__always)
    func offset(of needle: StaticString, from start: Int = 0) -> Int? {
        offset(of: UnsafeRawBufferPointer(start: needle.utf8Start, count: needle.utf8CodeUnitCount), from: start)
    }

    @inline(__always)
    func offset(of needle: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
        guard let base = baseAddress, start < count else { return nil }
        return csystem_find(base + start, count - start, needle.baseAddress!, needle.count).map {
            UnsafeRawPointer($0) - base
        }
    }

    /// The beginning, for an error message.
    var excerpt: String { String(decoding: prefix(400), as: UTF8.self) }
}
