// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The machine's own names.
enum Machine {
    static var name: String {
        var buffer = [CChar](repeating: 0, count: 256)
        gethostname(&buffer, buffer.count - 1)
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The names by which other machines reach this one: its own, as it is and as Avahi announces it.
    static var hostNames: [String] {
        let first = name.prefix { $0 != "." }
        return first.isEmpty ? [] : [name, String(first), "\(first).local"]
    }

    /// The random id of the installation; `nil` where there is none, as in some containers. It must not be published.
    ///
    /// - SeeAlso: machine-id(5)
    static var id: String? {
        guard let file = fopen("/etc/machine-id", "re") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 32)
        guard fread(&buffer, 1, buffer.count, file) == buffer.count else { return nil }
        return String(decoding: buffer, as: UTF8.self)
    }
}
