// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Returns the target of a symbolic link as it is written there; `nil` for a file that is not a link.
package func linkTarget(of path: String) -> String? {
    // An array in its place is a null pointer after the call, in a release build of Swift 6.0.3.
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
        guard let start = buffer.baseAddress else { return nil }
        let count = readlink(path, start, buffer.count)
        return count > 0 ? String(decoding: UnsafeRawBufferPointer(buffer).prefix(count), as: UTF8.self) : nil
    }
}
