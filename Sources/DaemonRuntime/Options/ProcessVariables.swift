// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The environment variables of this process.
enum ProcessVariables {
    /// Their names; empty if `/proc` cannot be read.
    static var names: [String] {
        let file = open("/proc/self/environ", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(file, &part, part.count)
            guard count > 0 else { break }
            bytes += part.prefix(count)
        }
        return bytes.split(separator: 0).map { String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self) }
    }
}
