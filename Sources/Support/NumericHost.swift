// SPDX-License-Identifier: Apache-2.0
package import Glibc

/// Returns the IP address in a socket address as text; `nil` for another family.
package func numericHost(of address: UnsafePointer<sockaddr>, _ length: socklen_t) -> String? {
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard getnameinfo(address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0 else { return nil }
    return String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
