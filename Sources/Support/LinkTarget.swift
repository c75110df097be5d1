// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Returns the target of a symbolic link as it is written there; `nil` for a file that is not a link.
package func linkTarget(of path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
}
